import { execute, type Database } from '../../platform/database/database.ts';

/** Reads nothing. @throws the database error if it does not respond */
export const ping = (db: Database) => execute(db)`select 1`;

/** @throws the database error if it accepts no writes, for example because its disk is full */
export const checkWrites = (db: Database) => execute(db)`select check_writes()`;
