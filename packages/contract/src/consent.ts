import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations } from './operation.ts';
import {
  choiceSources,
  subscriptionStates,
  suppressedStates,
  suppressionSources,
  trackingPolicies,
} from './statuses.ts';
import { collectionName, filledLine, id, itemKey, singleLine, timestamp } from './values.ts';

// Whether contacts receive email from a brand, and if not, since when and who caused it. The rules: docs/consent.md

/** For the brands that the caller can see, all or those of one client: a common state, or unsubscribed from some. */
export const SubscriptionSummary = z.object({
  /** The contact's key. */
  key: z.string(),
  /** The state for all brands, or for each of them; `subscribed` if at least one brand can still send to the contact. */
  state: z.enum(subscriptionStates),
  /** Brands that do not send to the contact because of a suppression for that brand only, or a pause. */
  suppressed_count: z.number(),
  brands_count: z.number(),
});
export type SubscriptionSummary = z.infer<typeof SubscriptionSummary>;

const Named = z.object({ id, name: z.string() });
const ByWhom = z.object({ id, full_name: z.string() });

export const Suppression = z.object({
  /** Null for all brands. */
  brand_id: id.nullable(),
  brand_name: z.string().nullable(),
  state: z.enum(suppressedStates),
  source: z.enum(suppressionSources),
  at: timestamp.nullable(),
  /** The email whose link was used, or that bounced; null if there is none or it was erased. */
  touchpoint: Named.nullable(),
  by: ByWhom.nullable(),
  import: z.object({ id, file_name: z.string() }).nullable(),
  note: z.string().nullable(),
});
export type Suppression = z.infer<typeof Suppression>;

/** A suppression that was lifted. */
export const Resubscription = z.object({
  brand_id: id.nullable(),
  at: timestamp,
  /** The legal basis for sending to the contact again. */
  basis: z.string(),
  by: ByWhom.nullable(),
  /** The state that was lifted. */
  state: z.enum(suppressedStates),
  suppressed_at: timestamp.nullable(),
});
export type Resubscription = z.infer<typeof Resubscription>;

/** How a choice of the contact came to be stored. */
const Choice = z.object({
  source: z.enum(choiceSources),
  at: timestamp,
  /** The email whose link was used; null if there is none or it was erased. */
  touchpoint: Named.nullable(),
  /** The member who entered it. */
  by: ByWhom.nullable(),
  /** What a member's choice about a topic is based on; for subscribing, what allows it. */
  basis: z.string().nullable(),
});
export type Choice = z.infer<typeof Choice>;

/** What the contact has chosen about a brand. */
const BrandChoices = z.object({
  /** The topics of the brand, in their order. */
  topics: z.array(
    Named.extend({
      /** Whether those who have chosen nothing get its emails. */
      is_default: z.boolean(),
      is_subscribed: z.boolean(),
      /** Null if nothing was chosen. */
      choice: Choice.nullable(),
    }),
  ),
  pause: Choice.extend({ until: timestamp }).nullable(),
  /** Whose opens and clicks the brand measures. */
  tracking_policy: z.enum(trackingPolicies),
  /** Whether they may be measured; null if nothing was chosen. */
  tracking: Choice.extend({ is_allowed: z.boolean() }).nullable(),
});
export type BrandChoices = z.infer<typeof BrandChoices>;

export const Subscription = SubscriptionSummary.extend({
  /** The contact's address as stored, even if it cannot receive email. */
  address: z.string().nullable(),
  /** Sorted by client and name, suppressed brands first; at most 100. */
  brands: z.array(Named.extend({ client: Named, state: z.enum(subscriptionStates), ...BrandChoices.shape })),
  /** The current suppressions for the brands of all clients, newest first; at most 100. */
  suppressions: z.array(Suppression),
  /** Newest first; at most 100. */
  resubscriptions: z.array(Resubscription),
});
export type Subscription = z.infer<typeof Subscription>;

const maxBasisLength = 500;

const inOrganization = memberOperations('Consent', 'organization_id');
const contactPath = { collection: collectionName, key: itemKey };
/** Only this client's brands are listed and counted. */
const ofClient = { client_id: id.optional() };
/** The response names brands and says to whom they can send. */
const additionalPermissions = ['read Content', 'read Consent'] as const;

export const consent = {
  list: inOrganization(
    'GET /content/{organization_id}/consent/{collection}',
    'Whether contacts get mail, in short',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input({
      collection: collectionName,
      ...ofClient,
      /** The keys of at most 100 contacts, separated by commas. */
      keys: filledLine(26_000, 'Name the contacts.').refine(
        (text) => text.split(',').length <= 100,
        'Ask for at most 100 contacts at once.',
      ),
    })
    .errors(backendFailed)
    .output({ items: z.array(SubscriptionSummary) }),
  get: inOrganization(
    'GET /content/{organization_id}/consent/{collection}/{key}',
    'Whether a contact gets mail of each brand, and why not',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input({ ...contactPath, ...ofClient })
    .errors(backendFailed)
    .output(Subscription),
  unsubscribe: inOrganization(
    'POST /content/{organization_id}/consent/{collection}/{key}/unsubscribe',
    'Stop mail of one brand, or of all, to a contact',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input({ ...contactPath, brand_id: id.nullable(), note: singleLine(maxBasisLength).default('') })
    .errors(backendFailed)
    .output(Subscription),
  resubscribe: inOrganization(
    'POST /content/{organization_id}/consent/{collection}/{key}/resubscribe',
    'Lift what keeps mail of one brand, or of all, from a contact',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input({
      ...contactPath,
      brand_id: id.nullable(),
      basis: filledLine(maxBasisLength, 'Say what allows you to write to this contact again.'),
    })
    .errors(backendFailed)
    .output(Subscription),
  chooseTopic: inOrganization(
    'PUT /content/{organization_id}/consent/{collection}/{key}/topics/{topic_id}',
    'Subscribe a contact to a topic of a brand, or unsubscribe it',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input({
      ...contactPath,
      topic_id: id,
      is_subscribed: z.boolean(),
      /** Required for subscribing: what allows it. */
      basis: singleLine(maxBasisLength).default(''),
    })
    .errors(backendFailed)
    .output(Subscription),
  pause: inOrganization(
    'PUT /content/{organization_id}/consent/{collection}/{key}/pause',
    'Pause mail of a brand to a contact for 30 days, or end the pause',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input({ ...contactPath, brand_id: id, is_paused: z.boolean() })
    .errors(backendFailed)
    .output(Subscription),
};
