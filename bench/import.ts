import { sql } from 'kysely';
import { getImport } from '../apps/server/src/contacts/imports/imports.ts';
import { handleImports } from '../apps/server/src/contacts/imports/import-jobs.ts';
import { createStartingCollections } from '../apps/server/src/content/built-in/starting-collections.ts';
import { upsertItems } from '../apps/server/src/content/built-in/upsert-items.queries.ts';
import { snapshotAudience } from '../apps/server/src/queue/audience-snapshot.ts';
import {
  connect,
  inOrganization,
  type Database,
  type Transaction,
} from '../apps/server/src/platform/database/database.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { buildOrganization, buildUser } from '../apps/server/src/sample/records.ts';
import { testSecrets } from '../apps/server/src/testing/test-secrets.ts';
import { runJobs } from '../apps/server/src/testing/job-worker.ts';
import { openDatabase, median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { allContacts, person, uploadPeople } from './support/people-file.ts';
import { showPlans } from './support/query-plans.ts';

export const metrics = ['import', 'import_again', 'import_memory', 'audience_write'];

/**
 * The import of a CSV file of `--contacts` contacts with validation and upsert, compared with a bare insert of the same
 * rows into the same table; then their audience snapshot, compared with a bare `insert … select` of the same rows.
 * Alternating, `--repeats` times, medians. Prints the plans of a batch and of the audience.
 */
export async function run(): Promise<Metric[]> {
  const contacts = readNumber('contacts', 100_000);
  const repeats = readNumber('repeats', 3);
  const database = await openImportDatabase();
  try {
    const runs: ImportRun[] = [];
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      runs.push(await measure(database, contacts, { withPlans: repeat === 1 }));
      say(`  ${JSON.stringify(runs.at(-1))}`);
    }
    const of = (key: keyof ImportRun) => median(runs.map((each) => each[key]));
    return [
      toMetric('import', contacts / of('importSeconds'), 'rows/s', contacts / of('bareInsertSeconds')),
      toMetric('import_again', contacts / of('againSeconds'), 'rows/s', contacts / of('bareInsertSeconds')),
      toMetric('import_memory', of('memoryAtEndMb'), 'MB', of('memoryEarlyMb')),
      toMetric(
        'audience_write',
        contacts / of('audienceSeconds'),
        'contacts/s',
        contacts / of('bareSelectSeconds'),
      ),
    ];
  } finally {
    await database.close();
  }
}

interface ImportRun {
  importSeconds: number;
  /** Import of the same file again, without changes. */
  againSeconds: number;
  bareInsertSeconds: number;
  audienceSeconds: number;
  bareSelectSeconds: number;
  /** Peak memory of this process in the first fifth of the import, and in the whole import. */
  memoryEarlyMb: number;
  memoryAtEndMb: number;
}

async function measure(
  database: ImportDatabase,
  contacts: number,
  { withPlans }: { withPlans: boolean },
): Promise<ImportRun> {
  const { db, owner } = database;
  const { id: organizationId } = await buildOrganization(owner);
  const { id: userId } = await buildUser(owner);
  await inOrganization(db, organizationId, (trx) => createStartingCollections(trx, organizationId));
  const first = await importFile(database, { organizationId, userId, contacts });
  if (first.created !== contacts) throw new Error(`${first.created} of ${contacts} contacts were created.`);
  const again = await importFile(database, { organizationId, userId, contacts });
  if (again.unchanged !== contacts)
    throw new Error(`${again.unchanged} of ${contacts} contacts were unchanged.`);

  const target = { sendId: newId(), contactFields: ['first_name', 'company'], chunkSize: 500 };
  const audienceSeconds = await time(async () => {
    const { breakdown } = await inOrganization(db, organizationId, (trx) =>
      snapshotAudience(trx, organizationId, allContacts, target),
    );
    if (breakdown.will_receive !== contacts)
      throw new Error(`${breakdown.will_receive} deliveries were written.`);
  });
  if (withPlans) await printPlans(database, organizationId);
  return {
    importSeconds: first.seconds,
    againSeconds: again.seconds,
    memoryEarlyMb: first.memoryEarlyMb,
    memoryAtEndMb: first.memoryAtEndMb,
    bareInsertSeconds: await insertBare(db, await buildOrganization(owner).then(({ id }) => id), contacts),
    audienceSeconds,
    bareSelectSeconds: await time(() =>
      inOrganization(db, organizationId, (trx) =>
        sql`
          insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
          select organization_id, ${newId()}::uuid, row_number() over (), id, data ->> 'email', data
          from content_items where organization_id = ${organizationId} and collection = 'contacts'
        `.execute(trx),
      ),
    ),
  };
}

const batchRows = 1_000;

/** Prints the plans of an import batch, half of which updates existing contacts, and of the audience snapshot. */
async function printPlans({ logins }: ImportDatabase, organizationId: string): Promise<void> {
  const show = (name: string, work: (trx: Transaction) => Promise<unknown>) =>
    showPlans(logins.appUrl, name, { organizationId }, work);
  const rows = Array.from({ length: batchRows }, (_, n) => {
    const patch = person(n % 2 === 0 ? n : -n);
    return { id: newId(), key: patch.email, before: {}, patch, is_last: true, is_double: false };
  });
  const target = { organizationId, collection: 'contacts', keyField: 'email', userCreated: null };
  await show('batch', (trx) =>
    upsertItems(trx, { ...target, defaults: {}, protectedFields: ['unsubscribed'] }, rows),
  );
  const send = { sendId: newId(), contactFields: ['first_name', 'company'], chunkSize: 500 };
  await show('audience', (trx) => snapshotAudience(trx, organizationId, allContacts, send));
}

async function importFile(
  { db, owner, logins }: ImportDatabase,
  { organizationId, userId, contacts }: { organizationId: string; userId: string; contacts: number },
) {
  const id = await uploadPeople(db, { organizationId, userId, people: contacts });
  const find = () => inOrganization(db, organizationId, (trx) => getImport(trx, organizationId, id));
  let memoryEarlyMb = 0;
  let memoryAtEndMb = 0;
  // Polls no longer than needed, since the benchmark would measure its own queries.
  let isEarly = true;
  const recordEarlyMemory = async (megabytes: number) => {
    isEarly = (await find()).rows_done <= contacts / 5;
    if (isEarly) memoryEarlyMb = Math.max(memoryEarlyMb, megabytes);
  };
  const sampling = setInterval(() => {
    const megabytes = process.memoryUsage.rss() / 1e6;
    memoryAtEndMb = Math.max(memoryAtEndMb, megabytes);
    if (isEarly) void recordEarlyMemory(megabytes);
  }, 20);
  try {
    const handler = handleImports({ db, log: createLog('warn'), secrets: testSecrets });
    const seconds = await time(() => runJobs(logins, owner, [handler]));
    const { created_count, unchanged_count } = await find();
    return { seconds, created: created_count, unchanged: unchanged_count, memoryEarlyMb, memoryAtEndMb };
  } finally {
    clearInterval(sampling);
  }
}

/** Inserts the same rows in batches of the same size, without file, validation, lookups and unique values. */
const insertBare = (db: Database, organizationId: string, contacts: number): Promise<number> =>
  time(async () => {
    for (let start = 0; start < contacts; start += batchRows) {
      const rows = Array.from({ length: Math.min(batchRows, contacts - start) }, (_, index) => ({
        id: newId(),
        data: person(start + index),
      }));
      await inOrganization(db, organizationId, (trx) =>
        sql`
          insert into content_items (organization_id, collection, id, data)
          select ${organizationId}::uuid, 'contacts', id, data
          from json_to_recordset(${JSON.stringify(rows)}) given(id text, data jsonb)
        `.execute(trx),
      );
    }
  });

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

/** With the product's own role. */
type ImportDatabase = Awaited<ReturnType<typeof openImportDatabase>>;

async function openImportDatabase() {
  const database = await openDatabase({ connections: 4 });
  const options = { name: 'bench', connections: 4, statementTimeoutMs: 60_000, onError: () => {} };
  const db = connect(database.logins.appUrl, options);
  const close = async () => {
    await db.destroy();
    await database.close();
  };
  return { ...database, db, close };
}
