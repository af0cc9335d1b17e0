import { sql } from 'kysely';
import { firstRowOf, type Transaction } from '../../platform/database/database.ts';
import type { BrandAddress } from './choices.queries.ts';

/** A delivery whose recipient unsubscribes. */
export interface UnsubscribedDelivery extends BrandAddress {
  sendId: string;
  seq: number;
  contactId: string;
}

/** A contact as consent needs it. */
export interface RecipientContact {
  collection: string;
  email: string | null;
  /** As entered. */
  language: string | null;
  /** Whether the contact itself says that it gets no email of any brand. */
  is_unsubscribed: boolean;
}

/**
 * @param lock  locks the contact, so that concurrent writes to it wait and then see what this transaction stored
 * @returns undefined if the contact is deleted, or not in the built-in backend
 */
export const findRecipientContact = (
  trx: Transaction,
  {
    organizationId,
    sendId,
    contactId,
  }: Pick<UnsubscribedDelivery, 'organizationId' | 'sendId' | 'contactId'>,
  lock?: 'lock',
) => firstRowOf<RecipientContact>(trx)`
  select item.collection, item.data ->> (content.audience -> 'field_mapping' ->> 'email') as email,
    item.data ->> 'language' as language,
    coalesce(item.data ->> 'unsubscribed' = 'true', false) as is_unsubscribed
  from touchpoint_send_contents content
  join content_items item on item.organization_id = content.organization_id
    and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
  where content.organization_id = ${organizationId} and content.send_id = ${sendId}
  ${lock === undefined ? sql`` : sql`for no key update of item`}
`;
