import { maskAddress, parseAddress } from '../../email/addresses/address.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import {
  readConsent,
  readContactLanguage,
  suppressUnsubscribed,
  undoUnsubscribe,
} from '../../content/consent/unsubscribed.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import type { Client } from './client.ts';
import { findShownBrand, type ShownBrand } from './sent-messages.queries.ts';
import type { SentMessage, SentMessages } from './sent-messages.ts';

/** How one recipient stands with the brand of a message. */
export interface Subscription {
  brand: ShownBrand;
  /** Only the first letter of the local part. */
  maskedAddress: string;
  /** The language of the contact, as somebody wrote it; null where nothing is known. */
  language: string | null;
  isUnsubscribed: boolean;
  /** Whether this very message's unsubscribe is what keeps further mail away, and nothing else does. */
  canUndo: boolean;
}

export type SubscriptionChange = 'none' | 'unsubscribe' | 'undo';

/**
 * Reads or changes whether the recipient of a message gets further mail of its brand. Takes effect before the response;
 * a repeat changes nothing, and neither does a test.
 * @returns undefined when the message or its brand was erased
 */
export async function changeSubscription(
  db: Database,
  messages: SentMessages,
  message: SentMessage,
  { change, client, now }: { change: SubscriptionChange; client: Client; now: Date },
): Promise<Subscription | undefined> {
  const delivery = await messages.findDelivery(message);
  if (delivery === undefined) return undefined;
  const { organizationId, brandId, touchpointId, sendId, seq, isTest } = message;
  const { address, contact_id: contactId } = delivery;
  const key = { organizationId, brandId, sendId, seq, contactId, addressKey: toKey(address) };
  return await inOrganization(db, organizationId, async (trx) => {
    if (change === 'unsubscribe' && !isTest) {
      await suppressUnsubscribed(trx, key);
      const event = { id: newId(), organizationId, touchpointId, sendId, seq, at: now, ...client };
      await storeEventsIn(trx, organizationId, [
        { ...event, type: 'UNSUBSCRIBE', linkNo: null, isBot: false },
      ]);
    }
    if (change === 'undo') await undoUnsubscribe(trx, key);
    const brand = await findShownBrand(trx, organizationId, brandId);
    if (brand === undefined) return undefined;
    const language = await readContactLanguage(trx, key);
    return { brand, maskedAddress: maskAddress(address), language, ...(await readConsent(trx, key)) };
  });
}

/** As suppressions compare addresses (email/addresses/address.ts). */
function toKey(address: string): string {
  const parsed = parseAddress(address);
  return 'error' in parsed ? address.toLowerCase() : parsed.key;
}
