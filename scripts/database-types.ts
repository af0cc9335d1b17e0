import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** File of the table types: generated from the migrated database, committed, and compared in a test. */
export const typesFile = join(import.meta.dirname, '../apps/server/src/platform/database/types.gen.ts');

/**
 * Writes the types of all tables of a migrated database, as the server's pool returns rows: 64-bit integers as
 * numbers, timestamps as ISO text.
 */
export function writeDatabaseTypes(url: string, file: string): void {
  const { status, stderr } = spawnSync(
    join(import.meta.dirname, '../node_modules/.bin/kysely-codegen'),
    [
      '--dialect',
      'postgres',
      '--url',
      url,
      '--out-file',
      file,
      '--exclude-pattern',
      'migrations.*',
      '--type-mapping',
      '{"int8":"number","timestamptz":"string"}',
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The table types could not be written: ${stderr}`);
}
