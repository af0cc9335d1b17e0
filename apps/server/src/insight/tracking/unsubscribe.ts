import { readConsent, suppressUnsubscribed, undoUnsubscribe } from '../../contacts/consent/unsubscribed.ts';
import type { EventListeners } from '../../events/listeners.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { findRecipient, type Recipient } from '../public-pages/recipient.ts';
import type { Client } from './client.ts';
import type { SentMessage } from './sent-messages.ts';

/** A recipient's subscription to the brand of a message. */
export interface Subscription extends Recipient {
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
export const changeSubscription = (
  { db, listeners }: { db: Database; listeners: EventListeners },
  message: SentMessage,
  { change, client }: { change: SubscriptionChange; client: Client },
): Promise<Subscription | undefined> =>
  inOrganization(db, message.organizationId, async (trx) => {
    const recipient = await findRecipient(trx, message);
    if (recipient === undefined) return undefined;
    if (change === 'unsubscribe' && !message.isTest) {
      await suppressUnsubscribed(trx, recipient.key);
      await storeUnsubscribe(trx, message, client, listeners);
    }
    if (change === 'undo') await undoUnsubscribe(trx, recipient.key);
    return { ...recipient, ...(await readConsent(trx, recipient.key)) };
  });

/** Stores the event that the recipient of a message unsubscribed, and what it causes. */
export const storeUnsubscribe = (
  trx: Transaction,
  { organizationId, touchpointId, sendId, seq }: SentMessage,
  client: Client,
  listeners: EventListeners,
): Promise<void> =>
  storeEventsIn(
    trx,
    organizationId,
    [
      {
        id: newId(),
        subject: 'message',
        type: 'UNSUBSCRIBE',
        organizationId,
        touchpointId,
        sendId,
        seq,
        linkNo: null,
        isBot: false,
        at: new Date(),
        ...client,
      },
    ],
    listeners,
  );
