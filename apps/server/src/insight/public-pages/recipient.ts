import { readContactLanguage } from '../../content/consent/unsubscribed.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { findShownBrand, type ShownBrand } from '../tracking/sent-messages.queries.ts';
import type { SentMessage, SentMessages } from '../tracking/sent-messages.ts';

/** The recipient of a message, who holds its link. */
export interface Recipient {
  message: SentMessage;
  brand: ShownBrand;
  address: string;
  /** The contact's language as entered; null if unknown. */
  language: string | null;
}

/** @returns undefined unless the link is that of a message whose recipient is still known */
export async function findRecipient(
  db: Database,
  messages: SentMessages,
  token: string,
): Promise<Recipient | undefined> {
  const message = await messages.find('unsubscribe', token);
  const delivery = message && (await messages.findDelivery(message));
  if (message === undefined || delivery === undefined) return undefined;
  const { organizationId, brandId, sendId, seq } = message;
  const { address, contact_id: contactId } = delivery;
  return await inOrganization(db, organizationId, async (trx) => {
    const brand = await findShownBrand(trx, organizationId, brandId);
    if (brand === undefined) return undefined;
    const language = await readContactLanguage(trx, {
      organizationId,
      brandId,
      sendId,
      seq,
      contactId,
      addressKey: address.toLowerCase(),
    });
    return { message, brand, address, language };
  });
}

export const findBrandOfPage = (
  db: Database,
  organizationId: string,
  brandId: string,
): Promise<ShownBrand | undefined> =>
  inOrganization(db, organizationId, (trx) => findShownBrand(trx, organizationId, brandId));

export type { ShownBrand } from '../tracking/sent-messages.queries.ts';
