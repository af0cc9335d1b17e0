import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** @throws the database error if it accepts no writes, for example because its disk is full */
export async function checkWrites(db: Database): Promise<void> {
  await sql`select check_writes()`.execute(db);
}
