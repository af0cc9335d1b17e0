import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations } from './operation.ts';
import { subscriptionStates, suppressedStates, suppressionSources } from './statuses.ts';
import { collectionName, filledLine, id, itemKey, singleLine, timestamp } from './values.ts';

// Whether contacts get mail of a brand, since when not, and by whose act. The rules: docs/consent.md

/** Of the brands that the reader sees, all or those of one client: in one state, or unsubscribed from some of them. */
export const SubscriptionSummary = z.object({
  /** Of the contact. */
  key: z.string(),
  /** What holds for all brands, or for each of them; `subscribed` where some still write to the contact. */
  state: z.enum(subscriptionStates),
  /** Brands that do not write to the contact for a reason of their own. */
  suppressed_count: z.number(),
  brands_count: z.number(),
});
export type SubscriptionSummary = z.infer<typeof SubscriptionSummary>;

const Named = z.object({ id, name: z.string() });
const ByWhom = z.object({ id, full_name: z.string() });

export const Suppression = z.object({
  /** Null: all brands. */
  brand_id: id.nullable(),
  brand_name: z.string().nullable(),
  state: z.enum(suppressedStates),
  source: z.enum(suppressionSources),
  at: timestamp.nullable(),
  /** The email whose link was used, or that bounced; null when there is none, or it was erased. */
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
  /** What allows to write to the contact again. */
  basis: z.string(),
  by: ByWhom.nullable(),
  /** What it lifted. */
  state: z.enum(suppressedStates),
  suppressed_at: timestamp.nullable(),
});
export type Resubscription = z.infer<typeof Resubscription>;

export const Subscription = SubscriptionSummary.extend({
  /** As the contact has it, also where nothing can be sent to it. */
  address: z.string().nullable(),
  /** By client and name, those that do not write to the contact first; at most a hundred. */
  brands: z.array(Named.extend({ client: Named, state: z.enum(subscriptionStates) })),
  /** What holds now, of the brands of all clients, the latest first; at most a hundred. */
  suppressions: z.array(Suppression),
  /** The latest first; at most a hundred. */
  resubscriptions: z.array(Resubscription),
});
export type Subscription = z.infer<typeof Subscription>;

const maxBasisLength = 500;

const inOrganization = memberOperations('Consent', 'organization_id');
const collectionPath = z.strictObject({ organization_id: id, collection: collectionName });
const contactPath = collectionPath.extend({ key: itemKey });
/** Only its brands are listed and counted. */
const ofClient = { client_id: id.optional() };
/** Whose answer names brands, and says whom they may write to. */
const additionalPermissions = ['read Content', 'read Consent'] as const;

export const consent = {
  list: inOrganization(
    'GET /content/{organization_id}/consent/{collection}',
    'Whether contacts get mail, in short',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input(
      collectionPath.extend({
        ...ofClient,
        /** Of at most a hundred contacts, separated by commas. */
        keys: filledLine(26_000, 'Name the contacts.').refine(
          (text) => text.split(',').length <= 100,
          'Ask for at most 100 contacts at once.',
        ),
      }),
    )
    .errors(backendFailed)
    .output(z.object({ items: z.array(SubscriptionSummary) })),
  get: inOrganization(
    'GET /content/{organization_id}/consent/{collection}/{key}',
    'Whether a contact gets mail of each brand, and why not',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input(contactPath.extend(ofClient))
    .errors(backendFailed)
    .output(Subscription),
  unsubscribe: inOrganization(
    'POST /content/{organization_id}/consent/{collection}/{key}/unsubscribe',
    'Stop mail of one brand, or of all, to a contact',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input(contactPath.extend({ brand_id: id.nullable(), note: singleLine(maxBasisLength).default('') }))
    .errors(backendFailed)
    .output(Subscription),
  resubscribe: inOrganization(
    'POST /content/{organization_id}/consent/{collection}/{key}/resubscribe',
    'Lift what keeps mail of one brand, or of all, from a contact',
    'update Consent',
    { additionalPermissions, manualTransaction: true },
  )
    .input(
      contactPath.extend({
        brand_id: id.nullable(),
        basis: filledLine(maxBasisLength, 'Say what allows you to write to this contact again.'),
      }),
    )
    .errors(backendFailed)
    .output(Subscription),
};
