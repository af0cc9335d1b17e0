import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { backendFailures, endpointPattern } from './rules/backend-failures.ts';
import { copyStates, mirroredCollections } from './rules/mirrored-collections.ts';
import { collectionName, documented, id, singleLine, timestamp, token } from './values.ts';

/** Settings of the content backend: the built-in one, or the organization's own Directus. */

/** An encrypted secret; only its last four characters are shown. */
const Secret = z.object({ last_four: z.string() }).nullable();

export const directusStates = ['connected', 'failing', 'disconnected'] as const;
export type DirectusState = (typeof directusStates)[number];

export const ContentBackend = z.object({
  /** The backend whose collections and items users see. Templates are stored by the platform in both cases. */
  kind: z.enum(['built_in', 'directus']),
  /** The connected Directus, or the last one that was connected; null if there never was one. */
  directus: z
    .object({
      endpoint: z.string(),
      access_token: Secret,
      state: z.enum(directusStates),
      /** Why it is failing; null otherwise. */
      failure: z.enum(backendFailures).nullable(),
      /** The error message of the Directus. */
      error_content: z.string().nullable(),
      server_version: z.string().nullable(),
      /** Platform collections that the Directus lacks; `setUp` creates them. */
      missing_collections: z.array(z.string()),
      /** Number of collections in the Directus that users can see. */
      collection_count: z.number(),
      checked_at: timestamp,
    })
    .nullable(),
  /** Unused while a Directus is connected; available again once it is disconnected. */
  built_in: z.object({
    collection_count: z.number(),
    /** Number of audiences that select from these collections. */
    audience_count: z.number(),
  }),
});
export type ContentBackend = z.infer<typeof ContentBackend>;

/** The content backend's copies of clients, brands, campaigns, touchpoints and templates. */
export const ContentCopies = z.object({
  /** Number of changes not yet written to the backend. */
  waiting_count: z.number(),
  /** Number of changes that are not retried automatically. */
  failed_count: z.number(),
  /** Time of the next attempt, unless it is made at once; null if no change is waiting. */
  next_attempt_at: timestamp.nullable(),
  /** Changes that failed at least once; the latest 50. */
  items: z.array(
    z.object({
      collection: z.enum(mirroredCollections),
      id,
      /** Null if it was deleted on the platform. */
      name: z.string().nullable(),
      state: z.enum(copyStates),
      attempts: z.number(),
      /** The error message of the content backend. */
      error_content: z.string(),
      changed_at: timestamp,
    }),
  ),
});
export type ContentCopies = z.infer<typeof ContentCopies>;

/** Error of operations that call a Directus. */
export const backendFailed = {
  backend_failed: {
    ...apiErrors.backend_failed,
    data: z.object({
      failure: z.enum(backendFailures),
      /** The error message of the Directus, or the reason why it could not be called. */
      message: z.string(),
    }),
  },
} as const;

/** The operator configures which addresses are allowed besides https on the default port. */
const endpoint = singleLine(500)
  .regex(endpointPattern, 'Enter the address of your Directus, such as https://cms.example.com.')
  .register(documented, { pattern: String.raw`^\s*(?:${endpointPattern.source.slice(1, -1)})\s*$` });

/** An object that a setup creates in a Directus. */
const SetUpStep = z.object({
  kind: z.enum(['collection', 'field', 'relation', 'role', 'permission', 'token']),
  name: z.string(),
});
export type SetUpStep = z.infer<typeof SetUpStep>;

const onOrganization = memberOperations('Organizations', 'organizations');
const path = '/organizations/{id}/content_backend';

export const contentBackend = {
  get: onOrganization(`GET ${path}`, 'The content backend of an organization', 'update Organization').output(
    ContentBackend,
  ),
  connect: onOrganization(
    `PUT ${path}`,
    'Connect a Directus, after a check; an address that changes needs a token of its own',
    'update Organization',
    { requiresReauth: true, manualTransaction: true },
  )
    .input({
      endpoint,
      /** If omitted, the stored token is kept. */
      access_token: token.optional(),
    })
    .errors(backendFailed)
    .output(ContentBackend),
  check: onOrganization(`POST ${path}/check`, 'Check the connected Directus again', 'update Organization', {
    manualTransaction: true,
    auditEntries: 'daily',
  }).output(ContentBackend),
  setUp: onOrganization(
    `POST ${path}/set_up`,
    'Create in a Directus what is missing, with a token of an administrator that is not stored, and connect it',
    'update Organization',
    { requiresReauth: true, manualTransaction: true },
  )
    .input({
      endpoint,
      admin_token: token,
      /** The collections that the platform can use; null for all existing ones. */
      collections: z.array(collectionName).max(200).nullable().default(null),
      /** Whether items of these collections, and files, can also be changed from the platform. */
      can_write: z.boolean().default(true),
    })
    .errors({
      backend_failed: {
        ...backendFailed.backend_failed,
        data: backendFailed.backend_failed.data.extend({
          /** The objects created before the failure, in order. They are kept, and the next setup continues from there. */
          created: z.array(SetUpStep),
          /** The objects being created at the failure; the next setup finds out whether they exist. */
          unfinished: z.array(SetUpStep),
        }),
      },
    })
    .output({
      /** The created objects, in order; empty if all of them existed. */
      created: z.array(SetUpStep),
      content_backend: ContentBackend,
    }),
  disconnect: onOrganization(
    `DELETE ${path}`,
    'Disconnect the Directus and forget its token',
    'update Organization',
    { requiresReauth: true },
  ).output(ContentBackend),
  copies: onOrganization(
    `GET ${path}/copies`,
    'What is yet to be written to the content backend, and what it does not take',
    'update Organization',
  ).output(ContentCopies),
  retryCopies: onOrganization(
    `POST ${path}/copies/retry`,
    'Write everything that waits or has failed now, with all its attempts',
    'update Organization',
  ).output(ContentCopies),
};
