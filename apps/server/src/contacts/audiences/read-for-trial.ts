import { withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';
import type { Audience } from './audience.ts';
import { selectForTrial } from './audience.queries.ts';
import { validateAudience } from './count-audience.ts';
import { findReading } from './readings.ts';

/** A recipient, and whether a value is unusual: without one, nothing goes wrong because of a value. */
export interface TrialContact {
  data: Record<string, unknown>;
  is_unusual: boolean;
}

/** A trial builds so many messages in about a second. */
const contactLimit = 5_000;
const dataLimit = 4_000_000;

/**
 * Reads recipients with which an email is tried, those with unusual values first.
 * @param fields first-level fields of a contact that the email reads; null for all
 * @returns undefined if the contacts are in a remote content backend and have not been read
 */
export async function readForTrial(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  { fields, linkFields }: { fields: readonly string[] | null; linkFields: readonly string[] },
): Promise<TrialContact[] | undefined> {
  const readingId =
    audience.endpoint === null ? undefined : (await findReading(trx, organizationId, audience)).readingId;
  if (audience.endpoint !== null && readingId === undefined) return undefined;
  const rows = readingId === undefined ? 'collection' : { readingId };
  const validated = await validateAudience(trx, organizationId, audience, rows);
  const selection = { fields, linkFields, limit: contactLimit, dataLimit };
  return await withoutNestedLoops(trx, () => selectForTrial(trx, organizationId, validated, selection));
}
