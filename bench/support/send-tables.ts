import { sql } from 'kysely';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { notifyWorkers } from '../../apps/server/src/platform/database/notify.ts';
import { buildDueSend, type SendFixture } from '../../apps/server/src/testing/send-fixture.ts';
import { buildCrowd } from './many-organizations.ts';
import type { SendBench } from './send-bench.ts';

// The only code of the benchmarks that depends on the tables of sends.

/** Postpones a send until `makeDue`. No worker must be running. */
export const holdBack = (owner: Database, { sendId }: SendFixture) =>
  sql`
    update touchpoint_sends set send_date = now() + interval '1 day', next_due_at = now() + interval '1 day'
    where id = ${sendId}
  `.execute(owner);

export const makeDue = (owner: Database, { sendId }: SendFixture) =>
  owner.transaction().execute(async (trx) => {
    await sql`update touchpoint_sends set send_date = now(), next_due_at = now() where id = ${sendId}`.execute(
      trx,
    );
    await notifyWorkers(trx);
  });

export const pauseSend = (owner: Database, { sendId }: SendFixture) =>
  sql`update touchpoint_sends set status = 'paused' where id = ${sendId}`.execute(owner);

export async function hasEnded(owner: Database, { sendId }: SendFixture): Promise<boolean> {
  const { rows } = await sql`
    select from touchpoint_sends where id = ${sendId} and end_date is not null
  `.execute(owner);
  return rows.length > 0;
}

/** @returns the seconds from when the send became due to its end, by the clock of the database */
export async function readDuration(owner: Database, { sendId }: SendFixture): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from end_date - send_date)::float8 as seconds from touchpoint_sends where id = ${sendId}
  `.execute(owner);
  return rows[0]!.seconds;
}

/** Runs the maintenance that filling the tables would cause later. */
export async function tidy(owner: Database): Promise<void> {
  await sql`vacuum analyze`.execute(owner);
  await sql`checkpoint`.execute(owner);
}

/** @returns the bytes of WAL written since the cluster was created */
export async function readWalBytes(owner: Database): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`.execute(
    owner,
  );
  return Number(rows[0]!.bytes);
}

/** Waiting sends per organization. */
const waitingPerOrganization = 10;

/**
 * Builds paused sends to two contacts each: one message is sent, the other is deferred until tomorrow.
 * @param sends  a multiple of ten
 */
export async function buildWaitingSends({ owner, snapshot }: SendBench, sends: number): Promise<void> {
  const organizations = Math.ceil(sends / waitingPerOrganization);
  await buildCrowd(owner, { organizations, campaigns: waitingPerOrganization });
  await owner.transaction().execute(async (trx) => {
    await sql`
      create temporary table waiting on commit drop as
      select uuidv7() as send_id, t.organization_id, t.id as touchpoint_id, c.brand_id
      from touchpoints t
      join campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
      join organization_users m on m.organization_id = t.organization_id and m.role = 'guest'
    `.execute(trx);
    await sql`
      insert into touchpoint_sends (id, organization_id, touchpoint_id, brand_id, status, send_date,
        next_due_at, recipients_total_count, recipients_total_sent_count)
      select send_id, organization_id, touchpoint_id, brand_id, 'paused', now() - interval '1 hour',
        now() + interval '1 day', 2, 1
      from waiting
    `.execute(trx);
    await sql`
      insert into touchpoint_send_contents (organization_id, send_id, content, audience)
      select organization_id, send_id, ${JSON.stringify(snapshot)}::jsonb, '{}' from waiting
    `.execute(trx);
    await sql`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select organization_id, send_id, seq, 'contact-' || seq, 'late' || seq || '@sink.example', '{}'
      from waiting, generate_series(1, 2) seq
    `.execute(trx);
    await sql`
      insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to, done)
      select organization_id, send_id, 1, 2, 2, true from waiting
    `.execute(trx);
    await sql`
      insert into delivery_results (organization_id, send_id, seq, state, attempts, at)
      select organization_id, send_id, 1, 'sent', 1, now() from waiting
    `.execute(trx);
    await sql`
      insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at, reply)
      select organization_id, send_id, 2, 'deferred', 1, now() + interval '1 day', '450 4.7.1 try again' from waiting
    `.execute(trx);
  });
}

/** Resumes or pauses all waiting sends. */
export const setWaitingSends = (owner: Database, status: 'sending' | 'paused') =>
  sql`update touchpoint_sends set status = ${status} where status in ('sending', 'paused')`.execute(owner);

/** Builds one open send with `rows` deferred messages, of which only the first `due` are due. */
export async function buildDeferredSend(
  { owner, snapshot }: SendBench,
  { rows, due }: { rows: number; due: number },
): Promise<SendFixture> {
  const fixture = await buildDueSend(owner, { contacts: 1, snapshot });
  const { organizationId, sendId } = fixture;
  await sql`
    update touchpoint_sends set status = 'sending', recipients_total_count = ${rows}::int where id = ${sendId}
  `.execute(owner);
  await sql`
    insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
    select ${organizationId}, ${sendId}, seq, 'contact-' || seq, 'user' || seq || '@sink.example', '{}'
    from generate_series(1, ${rows}::int) seq
  `.execute(owner);
  await sql`
    insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at, reply)
    select ${organizationId}, ${sendId}, seq, 'deferred', 1,
      case when seq <= ${due}::int then now() else now() + interval '1 hour' + seq * interval '1 ms' end,
      '450 4.7.1 try again'
    from generate_series(1, ${rows}::int) seq
  `.execute(owner);
  return fixture;
}
