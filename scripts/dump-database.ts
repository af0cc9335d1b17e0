import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, withClient } from '../apps/server/src/platform/database/migrate.ts';
import { recordMigrations } from './check-migrations.ts';
import { describeSchema, schemaFile } from './database-schema.ts';
import { typesFile, writeDatabaseTypes } from './database-types.ts';
import { startPostgres } from './postgres.ts';
import { root } from './run-command.ts';

// npm run db:dump: regenerates db/schema.sql and the table types from a temporary database with all migrations, and adds
// new migrations to db/migrations.sha256. Run it after each change in db/.

const directory = await mkdtemp(join(tmpdir(), 'reachout-dump-'));
const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: false });
try {
  await migrateDatabase(postgres.url, { appPassword: 'unused', authPassword: 'unused' });
  await writeFile(schemaFile, await withClient(postgres.url, describeSchema));
  writeDatabaseTypes(postgres.url, typesFile);
  recordMigrations(root);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
