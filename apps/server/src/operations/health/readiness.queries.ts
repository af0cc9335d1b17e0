import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** Reads nothing. @throws the database error if it does not respond */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

/** @throws the database error if it accepts no writes, for example because its disk is full */
export async function checkWrites(db: Database): Promise<void> {
  await sql`select check_writes()`.execute(db);
}
