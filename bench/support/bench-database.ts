import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate.ts';
import { startPostgres } from '../../scripts/postgres.ts';

export const secretKey = 'bench-key-which-protects-nothing-0123456789';

export type BenchDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** Starts PostgreSQL with its default settings and all tables; `close` removes it. */
export async function openDatabase({ durable = true, connections = 1 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-bench-'));
  // As root without user namespaces, the server runs as the user `nobody`, who needs access to this directory.
  await chmod(directory, 0o711);
  const folder = join(directory, 'postgres');
  const postgres = await startPostgres({ dataDir: folder, durable });
  const passwords = derivePasswords(secretKey);
  await migrateDatabase(postgres.url, passwords);
  const options = { name: 'bench', connections, statementTimeoutMs: 900_000, onError: () => undefined };
  const owner = connect(postgres.url, options);
  const logins = loginsWith(postgres.url, passwords);
  return {
    owner,
    logins,
    /** What a server needs of it. */
    forServer: { logins, ownerUrl: postgres.url, dataDir: join(directory, 'data'), secretKey },
    postgresPid: Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    close: async () => {
      await owner.destroy();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
