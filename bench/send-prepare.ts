import { sql } from 'kysely';
import type { Audience } from '../apps/server/src/contacts/audiences/audience.ts';
import { snapshotAudience } from '../apps/server/src/queue/audience-snapshot.ts';
import { connect, inOrganization, type Database } from '../apps/server/src/platform/database/database.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { buildOrganization } from '../apps/server/src/sample/records.ts';
import { median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { allContacts } from './support/people-file.ts';
import { anonymousMbOfTree, cpuSecondsOfTree } from './support/child-process.ts';
import { withSendBench, type SendBench } from './support/send-bench.ts';
import { readWalBytes, tidy } from './support/send-tables.ts';

export const metrics = ['send_prepare', 'send_prepare_cpu', 'send_prepare_wal', 'send_prepare_memory'];

/**
 * The audience snapshot of `--contacts` contacts, some of them excluded, compared with a plain `insert … select` of its rows
 * into a table with the same primary key. Alternating, `--repeats` times, medians. Memory is that of the PostgreSQL
 * processes without shared memory, compared with a snapshot of a tenth of the contacts.
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 200_000);
    const options = { name: 'bench', connections: 1, statementTimeoutMs: 600_000, onError: () => undefined };
    const db = connect(bench.appUrl, options);
    try {
      const few = await buildAudience(bench.owner, Math.ceil(contacts / 10));
      const { peakMb } = await measure(bench, () => snapshot(db, few));
      const all = await buildAudience(bench.owner, contacts);
      const runs: { taken: Usage; copied: Usage }[] = [];
      for (let repeat = 0; repeat < readNumber('repeats', 3); repeat += 1) {
        await sql`truncate deliveries, delivery_chunks, delivery_exclusions`.execute(bench.owner);
        const taken = await measure(bench, () => snapshot(db, all));
        await sql`create table copied (like deliveries including indexes)`.execute(bench.owner);
        const copied = await measure(bench, () =>
          sql`insert into copied select * from deliveries`.execute(bench.owner),
        );
        await sql`drop table copied`.execute(bench.owner);
        say(`  ${JSON.stringify({ taken, copied })}`);
        runs.push({ taken, copied });
      }
      const of = (key: keyof Usage, kind: 'taken' | 'copied') => median(runs.map((each) => each[kind][key]));
      const perContact = (key: keyof Usage, kind: 'taken' | 'copied') => of(key, kind) / contacts;
      return [
        toMetric('send_prepare', of('seconds', 'taken'), 's', of('seconds', 'copied')),
        toMetric(
          'send_prepare_cpu',
          perContact('cpuSeconds', 'taken') * 1e6,
          'us of CPU per contact',
          perContact('cpuSeconds', 'copied') * 1e6,
        ),
        toMetric(
          'send_prepare_wal',
          perContact('walBytes', 'taken'),
          'bytes per contact',
          perContact('walBytes', 'copied'),
        ),
        toMetric('send_prepare_memory', of('peakMb', 'taken'), 'MB', peakMb),
      ];
    } finally {
      await db.destroy();
    }
  });

interface Usage {
  seconds: number;
  /** CPU time of all PostgreSQL processes. */
  cpuSeconds: number;
  walBytes: number;
  peakMb: number;
}

async function measure({ owner, postgresPid }: SendBench, work: () => Promise<unknown>): Promise<Usage> {
  await tidy(owner);
  const walBefore = await readWalBytes(owner);
  const cpuBefore = cpuSecondsOfTree(postgresPid);
  const start = performance.now();
  let peakMb = 0;
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, anonymousMbOfTree(postgresPid))), 20);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return {
    seconds: (performance.now() - start) / 1_000,
    cpuSeconds: cpuSecondsOfTree(postgresPid) - cpuBefore,
    walBytes: (await readWalBytes(owner)) - walBefore,
    peakMb,
  };
}

interface BenchAudience {
  organizationId: string;
  audience: Audience;
  contacts: number;
}

async function snapshot(db: Database, { organizationId, audience, contacts }: BenchAudience): Promise<void> {
  const target = { sendId: newId(), contactFields: ['first_name', 'company'], chunkSize: 250 };
  const { breakdown } = await inOrganization(db, organizationId, (trx) =>
    snapshotAudience(trx, organizationId, audience, target),
  );
  const { matched, will_receive } = breakdown;
  if (matched !== contacts || will_receive !== contacts - 3 * Math.floor(contacts / 100))
    throw new Error(`Of ${matched} contacts ${will_receive} would receive the email.`);
}

/** Of every 100 contacts, one is unsubscribed, one is suppressed, and one has no valid address. */
async function buildAudience(owner: Database, contacts: number): Promise<BenchAudience> {
  const { id: organizationId } = await buildOrganization(owner);
  await sql`
    insert into content_items (organization_id, collection, id, data)
    select ${organizationId}::uuid, 'contacts', overlay(gen_random_uuid()::text placing to_hex(268435456 + n) from 1 for 8),
      jsonb_build_object('email', 'user' || n || case when n % 100 = 1 then '' else '@example' || n % 500 || '.com' end,
        'unsubscribed', n % 100 = 2, 'first_name', 'Jürgen' || n % 9000, 'last_name', 'Last' || n,
        'company', 'Company ' || n % 40000, 'country', 'DE', 'city', 'City' || n % 2000, 'birthday', '1980-01-31')
    from generate_series(1, ${contacts}::int) n
  `.execute(owner);
  await sql`
    insert into choices (kind, organization_id, id, address_key, value)
    select 'suppression', ${organizationId}::uuid, gen_random_uuid(), data ->> 'email', 'manual'
    from content_items
    where organization_id = ${organizationId} and data ->> 'email' ~ '^user([0-9]*0)?3@'
  `.execute(owner);
  return { organizationId, audience: allContacts, contacts };
}
