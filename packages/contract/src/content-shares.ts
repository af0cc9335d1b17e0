import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { Field } from './content-fields.ts';
import { pickErrors } from './errors.ts';
import { memberOperations, publicOperations, tooManyAttempts, tooManyRecords } from './operation.ts';
import { maxSharePassword, maxShareUses } from './rules/shares.ts';
import { role } from './roles.ts';
import {
  collectionName,
  id,
  itemKey,
  list,
  name,
  optional,
  paging,
  timestamp,
  timestampInput,
} from './values.ts';

/** Shares of single items: everyone who has the link reads the item, without an account. docs/content-api.md */

export const Share = z.object({
  id,
  name: z.string().nullable(),
  collection: z.string(),
  /** Key of the item. */
  item: z.string(),
  /** Null for a share that cannot be opened. */
  role: z.string().nullable(),
  has_password: z.boolean(),
  date_start: timestamp.nullable(),
  date_end: timestamp.nullable(),
  /** How often the link can be opened; null without a limit. */
  max_uses: z.number().nullable(),
  times_used: z.number(),
  date_created: timestamp,
  /** Who reads the item through it and can end it; null for a deleted account. */
  by: z.object({ id, full_name: z.string() }).nullable(),
  /** The page that shows the item. */
  url: z.string(),
});
export type Share = z.infer<typeof Share>;

/** The item of a share, as anyone with its link sees it: without hidden fields. */
export const SharedItem = z.object({
  name: z.string().nullable(),
  fields: z.array(Field.pick({ field: true, label: true, type: true, sort: true })),
  /** The values by field. */
  item: z.record(z.string(), z.json()),
});
export type SharedItem = z.infer<typeof SharedItem>;

const inOrganization = memberOperations('Content', 'organization_id');
const forLinkHolder = publicOperations('Content');
const sharePath = { organization_id: id, id };

export const shareOperations = {
  shares: inOrganization(
    'GET /content/{organization_id}/shares',
    'Shares of items, the latest first; only in the built-in backend',
    'update Content',
    { additionalPermissions: ['read Content'] },
  )
    .input({
      /** With `item`: only those of this item. */
      collection: collectionName.optional(),
      item: itemKey.optional(),
      ...paging(),
    })
    .errors(backendFailed)
    .output(list(Share)),
  createShare: inOrganization(
    'POST /content/{organization_id}/shares',
    'Share an item: everyone who has the link reads what the role may read of it',
    'update Content',
    // Hashing the password takes long. The creator of a share can read the item through it.
    { manualTransaction: true, additionalPermissions: ['read Content'] },
  )
    .input({
      collection: collectionName,
      item: itemKey,
      name,
      /** A role that reads all content and does not administer the organization. */
      role,
      password: z.string().min(1).max(maxSharePassword).optional(),
      date_start: optional(timestampInput).optional(),
      date_end: optional(timestampInput).optional(),
      max_uses: z.int().min(1).max(maxShareUses).nullable().optional(),
    })
    .errors({ ...tooManyRecords, ...backendFailed })
    .output(Share),
  deleteShare: inOrganization(
    'DELETE /content/{organization_id}/shares/{id}',
    'End a share: its link, and pages opened with it, read nothing any more',
    'update Content',
  )
    .input({ id })
    .output({ id }),
  describeShare: forLinkHolder(
    'GET /content/{organization_id}/shares/{id}/access',
    'What opening a share takes; 404 unless it can be opened now',
  )
    .input(sharePath)
    .errors(pickErrors('not_found'))
    .output({
      needs_password: z.boolean(),
      /** Whether each opening counts towards a limit. */
      is_limited: z.boolean(),
    }),
  openShare: forLinkHolder(
    'POST /content/{organization_id}/shares/{id}/access',
    'Open a share and read its item; counts as a use. 404 also for a wrong password',
  )
    .input({ ...sharePath, password: z.string().max(maxSharePassword).optional() })
    .errors({ ...pickErrors('not_found'), ...tooManyAttempts })
    .output(SharedItem),
};
