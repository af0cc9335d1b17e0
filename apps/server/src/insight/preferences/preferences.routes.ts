import type { CommunicationPreferences } from '@reachout/contract/communication-preferences.ts';
import { endOfPause } from '@reachout/contract/rules/pauses.ts';
import type { PreferenceChange } from '../../contacts/consent/preferences.ts';
import { operations } from '../../identity/access/operations.ts';
import { invalidInput, notFound, orNotFound } from '../../platform/http/api-error.ts';
import { describeClient } from '../tracking/client.ts';
import { chooseLanguage } from '../public-pages/page-texts.ts';
import type { SentMessage } from '../tracking/sent-messages.ts';
import { chosenTracking } from './preference-form.ts';
import { createRecipientPreferences, type PreferenceDeps, type ShownPreferences } from './preferences.ts';

/** The page behind `links.preferences`, for programs. */
export function createPreferenceRoutes(deps: PreferenceDeps) {
  const preferences = createRecipientPreferences(deps);

  /** @throws the same 404 for a token that is unknown, and for one of another touchpoint */
  async function getMessage(touchpointId: string, token: string): Promise<SentMessage> {
    const message = await preferences.find(token);
    if (message?.touchpointId !== touchpointId.toLowerCase()) throw notFound();
    return message;
  }

  return {
    get: operations.communicationPreferences.get.handler(async ({ input: { id, token } }) => {
      const shown = orNotFound(await preferences.read(await getMessage(id, token)));
      return describe(shown, deps.publicUrl);
    }),
    update: operations.communicationPreferences.update.handler(async ({ input, context }) => {
      const { token: ofBody, ...wanted } = input.preferences;
      const token = input.token ?? ofBody;
      if (token === undefined) throw invalidInput('token', 'Send the token of the message.');
      if (ofBody !== undefined && ofBody !== token)
        throw invalidInput('token', 'The address and the body have different tokens.');
      const { ipAddress, userAgent } = context.origin;
      const changed = orNotFound(
        await preferences.change(await getMessage(input.id, token), (before) => toChange(wanted, before), {
          client: describeClient({ 'user-agent': userAgent }, ipAddress ?? ''),
          ipAddress,
        }),
      );
      return describe(changed.after, deps.publicUrl);
    }),
  };
}

interface Wanted {
  topics?: { id: string; is_subscribed: boolean }[] | undefined;
  unsubscribed_from?: ShownPreferences['unsubscribedFrom'] | undefined;
  pause?: boolean | undefined;
  tracking_consent?: boolean | undefined;
}

/** @throws 422 for a topic that the brand does not have */
function toChange(
  { topics: wanted = [], unsubscribed_from, pause, tracking_consent }: Wanted,
  before: ShownPreferences,
): PreferenceChange {
  const known = new Map(before.topics.map((topic) => [topic.id, topic]));
  const unknown = wanted.findIndex(({ id }) => !known.has(id));
  if (unknown !== -1) throw invalidInput(`preferences.topics.${unknown}.id`, 'There is no such topic.');
  return {
    topics: wanted
      .filter(({ id, is_subscribed }) => known.get(id)?.isSubscribed !== is_subscribed)
      .map(({ id, is_subscribed }) => ({ id, isSubscribed: is_subscribed })),
    ...(unsubscribed_from === undefined ? {} : { unsubscribedFrom: unsubscribed_from }),
    ...(pause === undefined ? {} : { pausedUntil: pause ? endOfPause(new Date()) : null }),
    ...(tracking_consent === undefined ? {} : chosenTracking(before, tracking_consent)),
  };
}

function describe(
  {
    brand,
    maskedAddress,
    language,
    topics,
    unsubscribedFrom,
    pausedUntil,
    isTrackingAllowed,
    canResubscribe,
  }: ShownPreferences,
  publicUrl: string,
): CommunicationPreferences {
  const { id, name, color, logo_url } = brand;
  return {
    brand: { name, color, logo_url: logo_url === null ? null : `${publicUrl}/l/${id}.png` },
    masked_address: maskedAddress,
    language: chooseLanguage(undefined, undefined, language),
    topics: topics.map((topic) => ({
      id: topic.id,
      name: topic.name,
      description: topic.description,
      is_subscribed: topic.isSubscribed,
    })),
    unsubscribed_from: unsubscribedFrom,
    paused_until: pausedUntil,
    tracking: isTrackingAllowed === null ? null : { is_allowed: isTrackingAllowed },
    can_resubscribe: canResubscribe,
  };
}
