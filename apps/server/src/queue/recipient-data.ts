import type { Transaction } from '../platform/database/database.ts';
import {
  listDeliveriesOf,
  listSendsAfter,
  type Person,
  type PersonDelivery,
} from './recipient-data.queries.ts';

export {
  anonymizeDeliveries,
  anonymizeExclusions,
  isAnySendPrepared,
  selectMessagesOf,
  suppressDeliveries,
  type Person,
  type PersonDelivery,
} from './recipient-data.queries.ts';

export { deleteReactionsOf, selectReactionsOf } from './reactions.queries.ts';

/** Recipients whose deliveries one statement reads: less than a second of work. */
const recipientsAtOnce = 300_000;
const sendsAtOnce = 500;

/** Sends that are searched together for a person, and the deliveries found in them. */
export interface SearchedSends {
  sendIds: string[];
  deliveries: PersonDelivery[];
}

const firsts = { asc: '00000000-0000-0000-0000-000000000000', desc: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * Searches the next sends for messages to a person.
 * @param after  id of the last searched send; '' to begin
 * @param order  of the sends: from the oldest, or from the newest
 * @returns undefined after the last send
 */
export async function searchNextSends(
  trx: Transaction,
  organizationId: string,
  person: Person,
  after: string,
  order: 'asc' | 'desc' = 'asc',
): Promise<SearchedSends | undefined> {
  const page = { order, limit: sendsAtOnce };
  const sends = await listSendsAfter(trx, organizationId, after === '' ? firsts[order] : after, page);
  let sum = 0;
  const sendIds = sends
    .filter(({ recipients_total_count: count }, index) => (sum += count) <= recipientsAtOnce || index === 0)
    .map(({ id }) => id);
  if (sendIds.length === 0) return undefined;
  return { sendIds, deliveries: await listDeliveriesOf(trx, organizationId, sendIds, person) };
}
