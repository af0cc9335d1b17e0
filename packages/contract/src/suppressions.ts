import { z } from 'zod';
import { Suppression } from './consent.ts';
import { apiErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { liftableReasons, suppressionReasons } from './statuses.ts';
import {
  csvFile,
  filledLine,
  id,
  list,
  order,
  paging,
  search,
  singleLine,
  timestamp,
  timestampInput,
} from './values.ts';

// The addresses that get no email, as a list: filtered, exported, imported, and lifted together. The rules: docs/consent.md

export const ListedSuppression = Suppression.extend({
  id,
  /** In lower case, with an ASCII domain. */
  address: z.string(),
  reason: z.enum(suppressionReasons),
  /** When it was entered here; `at` is when it occurred, also elsewhere. */
  created_at: timestamp,
  at: timestamp,
  /** The send whose message bounced, or whose link was used. */
  send_id: id.nullable(),
});
export type ListedSuppression = z.infer<typeof ListedSuppression>;

/** Suppressions that were lifted together. */
export const SuppressionLift = z.object({
  id,
  reason: z.enum(liftableReasons).nullable(),
  send_id: id.nullable(),
  from: timestamp.nullable(),
  to: timestamp.nullable(),
  basis: z.string(),
  /** The number that was confirmed. */
  total_count: z.number(),
  /** Fewer than `total_count` in the end if some became opt-outs in the meantime. */
  lifted_count: z.number(),
  by: z.object({ id, full_name: z.string() }).nullable(),
  created_at: timestamp,
  /** Null while it is in progress. */
  finished_at: timestamp.nullable(),
});
export type SuppressionLift = z.infer<typeof SuppressionLift>;

/** `from` and `to` are about the time of entry. */
const criteria = {
  send_id: id.optional(),
  brand_id: id.optional(),
  from: timestampInput.optional(),
  to: timestampInput.optional(),
};

export const suppressionFilters = { ...criteria, reason: z.enum(suppressionReasons).optional(), search };

/** Maximum suppressions in one import request. */
export const maxImportedSuppressions = 5_000;

const inOrganization = memberOperations('Consent', 'organization_id');
/** The list names addresses of contacts. */
const additionalPermissions = ['read Content'] as const;
const changePermissions = ['read Content', 'read Consent'] as const;

export const suppressions = {
  list: inOrganization('GET /suppressions', 'Addresses that get no email, and why', 'read Consent', {
    additionalPermissions,
    isExpensive: true,
  })
    .input({
      ...suppressionFilters,
      order: order(['created_at', 'address'], 'created_at.desc'),
      ...paging(),
    })
    .output(
      list(ListedSuppression).extend({
        /** How many of `count` the caller's access scope and their reasons allow to lift together. */
        liftable_count: z.number(),
      }),
    ),
  lift: inOrganization(
    'POST /suppressions/lift',
    'Lift the bounces and blocks that the criteria find, so that these addresses get email again',
    'delete Consent',
    { additionalPermissions: changePermissions, isExpensive: true },
  )
    .input({
      ...criteria,
      /** Opt-outs and complaints are never lifted together. */
      reason: z.enum(liftableReasons).optional(),
      /** `liftable_count` of the list as it was shown and confirmed; the request is rejected if it is another one now. */
      expected_count: z.int().min(0),
      basis: filledLine(500, 'Say why these addresses can get email again.'),
    })
    .errors({
      suppressions_changed: {
        ...apiErrors.suppressions_changed,
        data: z.object({ expected: z.number(), actual: z.number() }),
      },
    })
    .output(SuppressionLift),
  lifts: inOrganization('GET /suppressions/lifts', 'The latest lifts of suppressions', 'read Consent', {
    additionalPermissions,
  }).output({ items: z.array(SuppressionLift) }),
  import: inOrganization(
    'POST /suppressions/import',
    'Enter addresses that must get no email, for example from an export of another organization',
    'create Consent',
    { additionalPermissions: changePermissions },
  )
    .input({
      /** The brand whose mail they must not get; null for all brands. */
      brand_id: id.nullable(),
      /** Where they come from, such as the name of a file. */
      note: singleLine(200).default(''),
      items: z
        .array(
          z.strictObject({
            address: z.string().max(1_000),
            /** A word for the reason, in any spelling. An unknown or empty one is an opt-out. */
            reason: z.string().max(200).optional(),
            /** When it occurred; without a readable time, now. */
            at: z.string().max(100).optional(),
          }),
        )
        .max(maxImportedSuppressions, `Send at most ${maxImportedSuppressions} at once.`),
    })
    /** `added_count` plus `known_count` plus the rejected ones are the items. */
    .output({
      added_count: z.number(),
      /** Already suppressed for the same brands, by this or an earlier import, or otherwise. */
      known_count: z.number(),
      /** The positions in `items`, from 0, of those whose address is none. */
      rejected: z.array(z.number()),
    }),
};

export const suppressionsExport = inOrganization(
  'GET /suppressions/export',
  'Addresses that get no email, as a CSV file that can be imported elsewhere',
  'read Consent',
  { additionalPermissions, isExpensive: true },
)
  .input(suppressionFilters)
  .output(csvFile);
