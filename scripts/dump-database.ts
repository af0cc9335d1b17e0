import { writeFile } from 'node:fs/promises';
import { migrateDatabase, withClient } from '../apps/server/src/platform/database/migrate.ts';
import { recordMigrations } from './check-migrations.ts';
import { describeSchema, schemaFile } from './database-schema.ts';
import { typesFile, writeDatabaseTypes } from './database-types.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { root } from './run-command.ts';

// npm run db:dump: regenerates db/schema.sql and the table types from a temporary database with all migrations, and adds
// new migrations to db/migrations.sha256. Run it after each change in db/.

const postgres = await startTemporaryPostgres({ durable: false });
try {
  await migrateDatabase(postgres.url, { appPassword: 'unused', authPassword: 'unused' });
  await writeFile(schemaFile, await withClient(postgres.url, describeSchema));
  await writeDatabaseTypes(postgres.url, typesFile);
  recordMigrations(root);
} finally {
  await postgres.stop();
}
