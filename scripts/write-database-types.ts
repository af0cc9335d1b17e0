import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate.ts';
import { typesFile, writeDatabaseTypes } from './database-types.ts';
import { startPostgres } from './postgres.ts';

// Writes the table types anew, from a throw-away database with all migrations. Run it after each new migration.

const directory = await mkdtemp(join(tmpdir(), 'reachout-types-'));
const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: false });
try {
  await migrateDatabase(postgres.url, { appPassword: 'unused' });
  writeDatabaseTypes(postgres.url, typesFile);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
