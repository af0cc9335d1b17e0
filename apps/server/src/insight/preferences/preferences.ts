import {
  changePreferences,
  isLarger,
  readPreferences,
  type PreferenceChange,
  type Preferences,
} from '../../content/consent/preferences.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { EventListeners } from '../../events/listeners.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import { nameOfOrganization } from '../../identity/organizations/organization-name.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { rateLimitPrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import type { Client } from '../tracking/client.ts';
import { createSentMessages, type SentMessage } from '../tracking/sent-messages.ts';
import { findShownBrand, type ShownBrand } from '../tracking/sent-messages.queries.ts';
import { toAddressKey } from '../tracking/unsubscribe.ts';

export interface PreferenceDeps {
  db: Database;
  signer: TokenSigner;
  publicUrl: string;
  limits: RateLimits;
  /** What unsubscribing causes. */
  listeners: EventListeners;
}

/** What the recipient of a message can choose, and from whom. */
export interface ShownPreferences extends Preferences {
  brand: ShownBrand;
  organizationName: string;
  maskedAddress: string;
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
}

export function createRecipientPreferences({
  db,
  signer,
  publicUrl,
  limits,
  listeners,
}: PreferenceDeps): RecipientPreferences {
  const messages = createSentMessages({ db, signer, publicUrl });

  async function findDelivery(message: SentMessage) {
    const delivery = await messages.findDelivery(message);
    if (delivery === undefined) return undefined;
    const { organizationId, brandId, sendId, seq } = message;
    const { address, contact_id: contactId, tracking_consent: fieldConsent, variables } = delivery;
    const addressKey = toAddressKey(address);
    return { organizationId, brandId, sendId, seq, contactId, address, addressKey, fieldConsent, variables };
  }
  type Delivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

  async function readIn(trx: Transaction, delivery: Delivery): Promise<ShownPreferences | undefined> {
    const brand = await findShownBrand(trx, delivery.organizationId, delivery.brandId);
    const organizationName = await nameOfOrganization(trx);
    if (brand === undefined || organizationName === undefined) return undefined;
    const maskedAddress = maskAddress(delivery.address);
    const preferences = await readPreferences(trx, delivery);
    // What the message knew of a contact that is elsewhere, or deleted.
    const { language: sentLanguage } = delivery.variables;
    const language = preferences.language ?? (typeof sentLanguage === 'string' ? sentLanguage : null);
    const isTrackingAllowed =
      brand.tracking_policy === 'with_consent'
        ? (preferences.trackingChoice ?? delivery.fieldConsent ?? false)
        : null;
    return { ...preferences, language, brand, organizationName, maskedAddress, isTrackingAllowed };
  }

  return {
    find: (token) => messages.find('unsubscribe', token),
    read: async (message) => {
      const delivery = await findDelivery(message);
      return delivery && (await inOrganization(db, message.organizationId, (trx) => readIn(trx, delivery)));
    },
    change: async (message, decide, { client, ipAddress }) => {
      const delivery = await findDelivery(message);
      if (delivery === undefined) return undefined;
      const { organizationId, touchpointId, sendId, seq, isTest } = message;
      await limits.count(
        ['preference_changes_of_address', `${organizationId} ${delivery.addressKey}`],
        ...(ipAddress === undefined
          ? []
          : [['preference_changes_of_ip_prefix', rateLimitPrefixOf(ipAddress)] as const]),
      );
      return await inOrganization(db, organizationId, async (trx) => {
        const before = await readIn(trx, delivery);
        if (before === undefined) return undefined;
        const change = decide(before);
        if (isTest) return { before, after: before };
        await changePreferences(trx, delivery, change);
        const { unsubscribedFrom = 'nothing' } = change;
        if (isLarger(unsubscribedFrom, before.unsubscribedFrom)) {
          const event = {
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
          } as const;
          await storeEventsIn(trx, organizationId, [event], listeners);
        }
        const after = await readIn(trx, delivery);
        return after && { before, after };
      });
    },
  };
}
