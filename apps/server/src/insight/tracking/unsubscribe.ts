import { maskAddress, parseAddress } from '../../email/addresses/address.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import {
  readConsent,
  readContactLanguage,
  suppressUnsubscribed,
  undoUnsubscribe,
} from '../../content/consent/unsubscribed.ts';
import type { EventListeners } from '../../events/listeners.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import type { Client } from './client.ts';
import { findShownBrand, type ShownBrand } from './sent-messages.queries.ts';
import type { SentMessage, SentMessages } from './sent-messages.ts';

/** A recipient's subscription to the brand of a message. */
export interface Subscription {
  brand: ShownBrand;
  /** Address of which only the first letter of the local part is shown. */
  maskedAddress: string;
  /** The contact's language as entered; null if unknown. */
  language: string | null;
  isUnsubscribed: boolean;
  /** Whether this message's unsubscribe is the only suppression. */
  canUndo: boolean;
}

export type SubscriptionChange = 'none' | 'unsubscribe' | 'undo';

/**
 * Reads or changes a recipient's subscription to the brand of a message. The change is effective before the response and
 * idempotent; a test message changes nothing.
 * @returns undefined if the message or its brand was erased
 */
export async function changeSubscription(
  { db, messages, listeners }: { db: Database; messages: SentMessages; listeners: EventListeners },
  message: SentMessage,
  { change, client, now }: { change: SubscriptionChange; client: Client; now: Date },
): Promise<Subscription | undefined> {
  const delivery = await messages.findDelivery(message);
  if (delivery === undefined) return undefined;
  const { organizationId, brandId, touchpointId, sendId, seq, isTest } = message;
  const { address, contact_id: contactId } = delivery;
  const key = { organizationId, brandId, sendId, seq, contactId, addressKey: toAddressKey(address) };
  return await inOrganization(db, organizationId, async (trx) => {
    if (change === 'unsubscribe' && !isTest) {
      await suppressUnsubscribed(trx, key);
      const event = { id: newId(), organizationId, touchpointId, sendId, seq, at: now, ...client };
      const unsubscribe = {
        ...event,
        subject: 'message',
        type: 'UNSUBSCRIBE',
        linkNo: null,
        isBot: false,
      } as const;
      await storeEventsIn(trx, organizationId, [unsubscribe], listeners);
    }
    if (change === 'undo') await undoUnsubscribe(trx, key);
    const brand = await findShownBrand(trx, organizationId, brandId);
    if (brand === undefined) return undefined;
    const language = await readContactLanguage(trx, key);
    return { brand, maskedAddress: maskAddress(address), language, ...(await readConsent(trx, key)) };
  });
}

/** @returns the address in the form that suppressions compare (email/addresses/address.ts) */
export function toAddressKey(address: string): string {
  const parsed = parseAddress(address);
  return 'error' in parsed ? address.toLowerCase() : parsed.key;
}
