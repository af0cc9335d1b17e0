import { sql } from 'kysely';
import { createStartingCollections } from '../apps/server/src/content/built-in/starting-collections.ts';
import { getImport } from '../apps/server/src/contacts/imports/imports.ts';
import { connect, inOrganization, type Database } from '../apps/server/src/platform/database/database.ts';
import { buildOrganization, buildUser } from '../apps/server/src/sample/records.ts';
import { compareRates, measureSend } from './support/measure-send.ts';
import { readNumber, say, type Metric } from './support/benchmark.ts';
import { uploadPeople } from './support/people-file.ts';
import { withSendBench, type SendBench } from './support/send-bench.ts';

export const metrics = ['import_send'];

/** The rate of a send to `--contacts` during a longer import of `--rows` rows, compared with its rate alone. */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 20_000);
    const rows = readNumber('rows', 300_000);
    const options = { name: 'bench', connections: 2, statementTimeoutMs: 60_000, onError: () => undefined };
    const db = connect(bench.appUrl, options);
    const send = () => measureSend(bench, { contacts });
    try {
      // Warm-up of compiled code and caches, for both.
      await send();
      return [
        await compareRates('import_send', { without: send, with: () => besideImport(bench, db, rows, send) }),
      ];
    } finally {
      await db.destroy();
    }
  });

async function besideImport<T>(
  { owner }: SendBench,
  db: Database,
  rows: number,
  work: () => Promise<T>,
): Promise<T> {
  const { id: organizationId } = await buildOrganization(owner);
  const { id: userId } = await buildUser(owner);
  await inOrganization(db, organizationId, (trx) => createStartingCollections(trx, organizationId));
  const id = await uploadPeople(db, { organizationId, userId, people: rows });
  const result = await work();
  const { rows_done, status } = await inOrganization(db, organizationId, (trx) =>
    getImport(trx, organizationId, id),
  );
  if (status === 'completed') throw new Error('The import was over too early: it needs more --rows.');
  if (rows_done === 0) throw new Error('The import did not begin.');
  say(`  ${rows_done} rows imported beside it`);
  // Leaves no work for the next worker.
  await sql`delete from organizations where id = ${organizationId}`.execute(owner);
  await sql`delete from jobs where organization_id = ${organizationId}`.execute(owner);
  return result;
}
