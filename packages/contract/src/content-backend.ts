import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { backendFailures, endpointPattern } from './rules/backend-failures.ts';
import { copyStates, mirroredCollections } from './rules/mirrored-collections.ts';
import { byId, collectionName, documented, id, singleLine, timestamp } from './values.ts';

/** Settings of the content backend: the built-in one, or a Directus of the organization's own. */

/** An encrypted secret: that there is one, and how it ends. */
const Secret = z.object({ last_four: z.string() }).nullable();

export const directusStates = ['connected', 'failing', 'disconnected'] as const;

export const ContentBackend = z.object({
  /** Whose collections and items people see. Templates are kept by the platform in both cases. */
  kind: z.enum(['built_in', 'directus']),
  /** Also the one that was connected last; null where none ever was. */
  directus: z
    .object({
      endpoint: z.string(),
      access_token: Secret,
      ee_api_key: Secret,
      state: z.enum(directusStates),
      /** Why it is failing; null otherwise. */
      failure: z.enum(backendFailures).nullable(),
      /** The words of the Directus. */
      error_content: z.string().nullable(),
      server_version: z.string().nullable(),
      /** Collections of the platform that it does not have: `setUp` creates them. */
      missing_collections: z.array(z.string()),
      /** Collections that people see there. */
      collection_count: z.number(),
      checked_at: timestamp,
    })
    .nullable(),
  /** What rests while a Directus is connected, and comes back without it. */
  built_in: z.object({
    collection_count: z.number(),
    /** Audiences that select from these collections. */
    audience_count: z.number(),
  }),
});
export type ContentBackend = z.infer<typeof ContentBackend>;

/** The copies that the content backend has of clients, brands, campaigns, touchpoints and templates. */
export const ContentCopies = z.object({
  /** Changes that are yet to be written there. */
  waiting_count: z.number(),
  /** Those that are not tried again by themselves. */
  failed_count: z.number(),
  /** When the next attempt comes, where it does not come at once; null where nothing waits. */
  next_attempt_at: timestamp.nullable(),
  /** Those that have failed at least once, the latest 50. */
  items: z.array(
    z.object({
      collection: z.enum(mirroredCollections),
      id,
      /** Null: it is deleted here. */
      name: z.string().nullable(),
      state: z.enum(copyStates),
      attempts: z.number(),
      /** The words of the content backend. */
      error_content: z.string(),
      changed_at: timestamp,
    }),
  ),
});
export type ContentCopies = z.infer<typeof ContentCopies>;

/** Of operations that ask a Directus. */
export const backendFailed = {
  backend_failed: {
    ...apiErrors.backend_failed,
    data: z.object({
      failure: z.enum(backendFailures),
      /** The words of the Directus, or what kept it from being asked. */
      message: z.string(),
    }),
  },
} as const;

/** Which addresses may be asked beyond https on its usual port, the operator decides. */
const endpoint = singleLine(500)
  .regex(endpointPattern, 'Enter the address of your Directus, such as https://cms.example.com.')
  .register(documented, { pattern: String.raw`^\s*(?:${endpointPattern.source.slice(1, -1)})\s*$` });

/** A token as it stands in a header. */
const token = z
  .string()
  .max(500, { error: 'A token has at most 500 characters.', abort: true })
  .regex(/^[\x21-\x7e]{8,}$/, 'A token has at least 8 letters, digits or signs, without spaces.');

/** Something that a setup makes in a Directus. */
const SetUpStep = z.object({
  kind: z.enum(['collection', 'field', 'relation', 'role', 'permission', 'token']),
  name: z.string(),
});
export type SetUpStep = z.infer<typeof SetUpStep>;

const onOrganization = memberOperations('Organizations', 'organizations');
const path = '/organizations/{id}/content_backend';

export const contentBackend = {
  get: onOrganization(`GET ${path}`, 'The content backend of an organization', 'update Organization')
    .input(byId)
    .output(ContentBackend),
  connect: onOrganization(
    `PUT ${path}`,
    'Connect a Directus, after a check; an address that changes needs a token of its own',
    'update Organization',
    { requiresReauth: true, manualTransaction: true },
  )
    .input(
      z.strictObject({
        id,
        endpoint,
        /** Without it, the stored one stays. */
        access_token: token.optional(),
        /** Of Elastic Email, for which there is no transport yet: it is kept. Null removes it; without it, it stays. */
        ee_api_key: token.nullable().optional(),
      }),
    )
    .errors(backendFailed)
    .output(ContentBackend),
  check: onOrganization(`POST ${path}/check`, 'Check the connected Directus again', 'update Organization', {
    manualTransaction: true,
    auditEntries: 'daily',
  })
    .input(byId)
    .output(ContentBackend),
  setUp: onOrganization(
    `POST ${path}/set_up`,
    'Create in a Directus what is missing, with a token of an administrator that is not stored, and connect it',
    'update Organization',
    { requiresReauth: true, manualTransaction: true },
  )
    .input(
      z.strictObject({
        id,
        endpoint,
        admin_token: token,
        /** Which collections the platform may use; null: all that are there. */
        collections: z.array(collectionName).max(200).nullable().default(null),
        /** Whether items of these collections, and files, can be changed from here, too. */
        can_write: z.boolean().default(true),
      }),
    )
    .errors({
      backend_failed: {
        ...backendFailed.backend_failed,
        data: backendFailed.backend_failed.data.extend({
          /** What was made before it broke off, in order. It stays, and another setup goes on from there. */
          created: z.array(SetUpStep),
          /** What was being made: whether it is there, the next setup finds out. */
          unfinished: z.array(SetUpStep),
        }),
      },
    })
    .output(
      z.object({
        /** What was made, in order; empty where everything was there. */
        created: z.array(SetUpStep),
        content_backend: ContentBackend,
      }),
    ),
  disconnect: onOrganization(
    `DELETE ${path}`,
    'Disconnect the Directus and forget its token',
    'update Organization',
    { requiresReauth: true },
  )
    .input(byId)
    .output(ContentBackend),
  copies: onOrganization(
    `GET ${path}/copies`,
    'What is yet to be written to the content backend, and what it does not take',
    'update Organization',
  )
    .input(byId)
    .output(ContentCopies),
  retryCopies: onOrganization(
    `POST ${path}/copies/retry`,
    'Write everything that waits or has failed now, with all its attempts',
    'update Organization',
  )
    .input(byId)
    .output(ContentCopies),
};
