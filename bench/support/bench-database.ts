import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';

export const secretKey = 'bench-key-which-protects-nothing-0123456789';

export type BenchDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** Starts PostgreSQL with its default settings and all tables; `close`, or the end of this process, removes it. */
export async function openDatabase({ durable = true, connections = 1 } = {}) {
  const postgres = await startTemporaryPostgres({ durable });
  const passwords = derivePasswords(secretKey);
  await migrateDatabase(postgres.url, passwords);
  const options = { name: 'bench', connections, statementTimeoutMs: 900_000, onError: () => undefined };
  const owner = connect(postgres.url, options);
  const logins = loginsWith(postgres.url, passwords);
  return {
    owner,
    logins,
    /** What a server needs of it. */
    forServer: { logins, ownerUrl: postgres.url, dataDir: join(postgres.folder, 'data'), secretKey },
    postgresPid: Number(
      readFileSync(join(postgres.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    ),
    close: async () => {
      await owner.destroy();
      await postgres.stop();
    },
  };
}
