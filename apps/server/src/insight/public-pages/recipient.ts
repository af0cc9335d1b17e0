import { readContactLanguage } from '../../contacts/consent/preferences.ts';
import { maskAddress, parseAddress } from '../../email/addresses/address.ts';
import { nameOfOrganization } from '../../identity/organizations/organization-name.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findDelivery, findShownBrand, type ShownBrand } from '../tracking/sent-messages.queries.ts';
import type { SentMessage } from '../tracking/sent-messages.ts';

export { findShownBrand, type ShownBrand };

/** The recipient of a message, who holds its link. */
export interface Recipient {
  /** The delivery of the message, as consent finds it. */
  key: {
    organizationId: string;
    brandId: string;
    sendId: string;
    seq: number;
    contactId: string;
    /** In the form that suppressions compare (email/addresses/address.ts). */
    addressKey: string;
  };
  brand: ShownBrand;
  organizationName: string;
  address: string;
  /** Address of which only the first letter of the local part is shown. */
  maskedAddress: string;
  /** The contact's language as entered, else what the message knew of it; null if unknown. */
  language: string | null;
  /** What the contact's field said about measuring when the audience was decided; null: nothing. */
  fieldConsent: boolean | null;
}

/** @returns undefined if the message or its brand was erased */
export async function findRecipient(
  trx: Transaction,
  { organizationId, brandId, sendId, seq }: SentMessage,
): Promise<Recipient | undefined> {
  const delivery = await findDelivery(trx, organizationId, sendId, seq);
  const brand = await findShownBrand(trx, organizationId, brandId);
  const organizationName = await nameOfOrganization(trx);
  if (delivery === undefined || brand === undefined || organizationName === undefined) return undefined;
  const { address, contact_id: contactId, variables, tracking_consent: fieldConsent } = delivery;
  const parsed = parseAddress(address);
  const addressKey = 'error' in parsed ? address.toLowerCase() : parsed.key;
  const key = { organizationId, brandId, sendId, seq, contactId, addressKey };
  // The contact may be elsewhere, or deleted.
  const sentLanguage = typeof variables['language'] === 'string' ? variables['language'] : null;
  const language = (await readContactLanguage(trx, key)) ?? sentLanguage;
  const maskedAddress = maskAddress(address);
  return { key, brand, organizationName, address, maskedAddress, language, fieldConsent };
}
