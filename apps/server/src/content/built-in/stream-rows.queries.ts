import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** Approximate bytes in memory at once, unless a single row is larger. */
const pieceBytes = 1_000_000;
const firstPiece = 10;
const largestPiece = 1_000;

/** Reads the rows of a query through a cursor, in batches of about 1 MB: their size is known only once they are read. */
export async function* streamRows<Row>(trx: Transaction, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare row_stream no scroll cursor for ${query}`.execute(trx);
  let size = firstPiece;
  while (true) {
    const { rows } = await sql<Row>`fetch ${sql.lit(size)} from row_stream`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
    const bytes = JSON.stringify(rows).length;
    size = Math.max(1, Math.min(largestPiece, Math.floor((pieceBytes * rows.length) / bytes)));
  }
  await sql`close row_stream`.execute(trx);
}
