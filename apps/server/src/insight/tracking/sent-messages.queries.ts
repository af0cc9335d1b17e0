import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Brand } from '@reachout/contract/clients.ts';
import type { RowOf, Transaction } from '../../platform/database/database.ts';

export interface SentContent {
  content: EmailSnapshot;
  /** Address of links in its messages; null if it started before this was stored. */
  public_url: string | null;
}

/** @returns what was stored when the send was confirmed and started */
export async function findSentContent(
  trx: Transaction,
  organizationId: string,
  sendId: string,
): Promise<SentContent | undefined> {
  const row = await trx
    .selectFrom('touchpoint_send_contents')
    .select(['content', 'public_url'])
    .where('organization_id', '=', organizationId)
    .where('send_id', '=', sendId)
    .executeTakeFirst();
  return row as SentContent | undefined;
}

/** `tracking_consent`: what the contact's field said about measuring when the audience was decided; null: nothing. */
export type DeliveryRow = RowOf<typeof findDelivery>;

export const findDelivery = (trx: Transaction, organizationId: string, sendId: string, seq: number) =>
  trx
    .selectFrom('deliveries')
    .select(['contact_id', 'address', 'variables', 'tracking_consent'])
    .where('organization_id', '=', organizationId)
    .where('send_id', '=', sendId)
    .where('seq', '=', seq)
    // Nothing is known of a person whose data was erased.
    .where('address', '<>', '')
    .executeTakeFirst();

/** The brand data shown on recipient pages. */
export type ShownBrand = Pick<
  Brand,
  | 'id'
  | 'name'
  | 'color'
  | 'logo_url'
  | 'dark_logo_url'
  | 'postal_address'
  | 'imprint'
  | 'imprint_url'
  | 'tracking_policy'
>;

/** Also finds a deleted brand, because its emails are still in mailboxes. */
export const findShownBrand = (trx: Transaction, organizationId: string, brandId: string) =>
  trx
    .selectFrom('brands')
    .select([
      'id',
      'name',
      'color',
      'logo_url',
      'dark_logo_url',
      'postal_address',
      'imprint',
      'imprint_url',
      'tracking_policy',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', brandId)
    .executeTakeFirst();
