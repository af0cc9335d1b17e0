import {
  changePreferences,
  isLarger,
  readPreferences,
  unsubscribeFromBrand,
  type PreferenceChange,
  type Preferences,
} from '../../contacts/consent/preferences.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import { aboutMessage } from '../../events/event.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { rateLimitPrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { findRecipient, type Recipient } from '../public-pages/recipient.ts';
import type { Client } from '../tracking/client.ts';
import { createSentMessages, type SentMessage } from '../tracking/sent-messages.ts';

export interface PreferenceDeps {
  db: Database;
  signer: TokenSigner;
  publicUrl: string;
  limits: RateLimits;
}

/** What the recipient of a message can choose, and from whom. */
export interface ShownPreferences extends Preferences, Recipient {
  /** Whether opens and clicks may be measured; null if the brand does not ask its recipients. */
  isTrackingAllowed: boolean | null;
}

export interface ChangedPreferences {
  before: ShownPreferences;
  after: ShownPreferences;
}

/** The requester of a change. */
export interface Requester {
  client: Client;
  /** For limits; undefined for internal requests. */
  ipAddress: string | undefined;
}

export interface RecipientPreferences {
  /** Undefined unless the token was signed for preferences and its message is known. */
  find: (token: string) => Promise<SentMessage | undefined>;
  /** Undefined if the message or its brand was erased. */
  read: (message: SentMessage) => Promise<ShownPreferences | undefined>;
  /**
   * Changes what the recipient of a message gets. Committed before it resolves; a test message changes nothing.
   * @param decide  what to change, given what applies
   * @returns undefined if the message or its brand was erased
   * @throws 429 `too_many_attempts`
   */
  change: (
    message: SentMessage,
    decide: (before: ShownPreferences) => PreferenceChange,
    requester: Requester,
  ) => Promise<ChangedPreferences | undefined>;
  /** Unsubscribes from the brand, without a limit. Otherwise as `change`. */
  unsubscribe: (message: SentMessage, client: Client) => Promise<ChangedPreferences | undefined>;
}

export function createRecipientPreferences({
  db,
  signer,
  publicUrl,
  limits,
}: PreferenceDeps): RecipientPreferences {
  const messages = createSentMessages({ db, signer, publicUrl });

  return {
    find: (token) => messages.find('unsubscribe', token),
    read: (message) =>
      inOrganization(db, message.organizationId, async (trx) => {
        const recipient = await findRecipient(trx, message);
        return recipient && (await readIn(trx, recipient));
      }),
    change: async (message, decide, { client, ipAddress }) => {
      const recipient = await inOrganization(db, message.organizationId, (trx) =>
        findRecipient(trx, message),
      );
      if (recipient === undefined) return undefined;
      await limits.count(
        ['preference_changes_of_address', `${message.organizationId} ${recipient.key.addressKey}`],
        ...(ipAddress === undefined
          ? []
          : [['preference_changes_of_ip_prefix', rateLimitPrefixOf(ipAddress)] as const]),
      );
      return await inOrganization(db, message.organizationId, (trx) =>
        changeIn(trx, recipient, message, async (before) => {
          const change = decide(before);
          await changePreferences(trx, recipient.key, change);
          const { unsubscribedFrom = 'nothing' } = change;
          if (isLarger(unsubscribedFrom, before.unsubscribedFrom))
            await storeUnsubscribe(trx, message, client);
        }),
      );
    },
    unsubscribe: (message, client) => unsubscribe(db, message, client),
  };
}

async function readIn(trx: Transaction, recipient: Recipient): Promise<ShownPreferences> {
  const preferences = await readPreferences(trx, recipient.key);
  const isTrackingAllowed =
    recipient.brand.tracking_policy === 'with_consent'
      ? (preferences.trackingChoice ?? recipient.fieldConsent ?? false)
      : null;
  return { ...preferences, ...recipient, isTrackingAllowed };
}

/** @param store  changes what applies; a test message changes nothing */
async function changeIn(
  trx: Transaction,
  recipient: Recipient,
  { isTest }: SentMessage,
  store: (before: ShownPreferences) => Promise<void>,
): Promise<ChangedPreferences> {
  const before = await readIn(trx, recipient);
  if (isTest) return { before, after: before };
  await store(before);
  return { before, after: await readIn(trx, recipient) };
}

/** `RecipientPreferences.unsubscribe` */
export const unsubscribe = (
  db: Database,
  message: SentMessage,
  client: Client,
): Promise<ChangedPreferences | undefined> =>
  inOrganization(db, message.organizationId, async (trx) => {
    const recipient = await findRecipient(trx, message);
    if (recipient === undefined) return undefined;
    return await changeIn(trx, recipient, message, async () => {
      await unsubscribeFromBrand(trx, recipient.key);
      await storeUnsubscribe(trx, message, client);
    });
  });

/** Stores the event that the recipient of a message unsubscribed, and what it causes. */
const storeUnsubscribe = (trx: Transaction, message: SentMessage, client: Client): Promise<void> =>
  storeEventsIn(trx, message.organizationId, [
    { ...aboutMessage('UNSUBSCRIBE', message, new Date()), ...client },
  ]);
