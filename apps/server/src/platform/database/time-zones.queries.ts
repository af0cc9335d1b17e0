import { attempt } from '../attempt.ts';
import { rowsOf, type Transaction } from './database.ts';

let known: readonly string[] | undefined;

/**
 * Lists the IANA names that both PostgreSQL and this process know, with former names, which `Intl.supportedValuesOf` leaves
 * out. PostgreSQL reads them from hundreds of files, so they are kept.
 */
export async function listTimeZones(trx: Transaction): Promise<readonly string[]> {
  if (known !== undefined) return known;
  const rows = await rowsOf<{ name: string }>(trx)`select name from pg_timezone_names order by name`;
  return (known = rows.map(({ name }) => name).filter(isKnownHere));
}

const isKnownHere = (name: string): boolean =>
  attempt(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== '', false);
