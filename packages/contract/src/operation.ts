import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { Action, Subject } from './abilities.ts';

/** The records a call may name by its `id`; the tenant is then the organization that record belongs to. */
export const tenantRecords = [
  'organizations',
  'clients',
  'brands',
  'campaigns',
  'touchpoints',
  'filters',
  'touchpoint_sends',
  'content_imports',
  'mailbox_messages',
] as const;
export type TenantRecord = (typeof tenantRecords)[number];

/**
 * Who may make a call and whose data it touches. One mechanism on the server reads this; no handler checks again.
 * - `public`: anybody; `signed_in`: any user, touches only what is theirs.
 * - `needs`: a member of the tenant with that ability. `tenant` says where the organization comes from: the input's
 *   `organization_id`, or the record that the input's `id` names.
 */
export type Access =
  | { who: 'public' }
  | { who: 'signed_in' }
  | {
      who: 'member';
      needs: Need;
      /** What the caller must be allowed besides, for calls that show more than one subject. */
      alsoNeeds: readonly Need[];
      tenant: 'organization_id' | TenantRecord;
    };

export type Need = readonly [Action, Subject];

export interface CallMeta {
  access: Access;
  /**
   * An unsafe call normally runs in one transaction, together with its idempotency key. Calls that wait for something
   * slower than the database, or that stream, open their own short transactions instead.
   */
  ownTransactions: boolean;
  /**
   * Needs somebody who signed in within the last hour, and no API key: members, roles, keys, deletion.
   */
  recentSignIn: boolean;
  /**
   * Fields of the answer, wherever they stand in it, that are shown once: a repeat with the same Idempotency-Key gets
   * null in their place.
   */
  shownOnce: readonly string[];
}

/** The errors that any call can give; each call adds its own codes beside them. docs/error-codes.md lists all. */
const commonErrors = {
  not_signed_in: { status: 401, message: 'Sign in, or send an API key that is valid, to continue.' },
  sign_in_again: { status: 401, message: 'Confirm that it is you: sign in again to do this.' },
  forbidden: {
    status: 403,
    message: 'You do not have the permission for this.',
    data: z.object({ action: z.string(), subject: z.string() }),
  },
  organization_suspended: {
    status: 403,
    message: 'This organization is suspended: it can be read, not changed.',
  },
  not_found: { status: 404, message: 'This does not exist, or you do not have access to it.' },
  invalid_input: {
    status: 422,
    message: 'Some of the input is not valid.',
    data: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was already used for another request.',
  },
} as const;

/** Of calls that are counted: they may be made so often in so much time. */
export const tooManyAttempts = {
  too_many_attempts: {
    status: 429,
    message: 'Too many attempts. Wait a moment.',
    /** Seconds. */
    data: z.object({ retry_after: z.number() }),
  },
} as const;

/** How many records of a kind a person, an organization or a client may have, where a list shows all of them. */
export const mostRecords = 100;

/** Of calls that add to such a list, or bring something back into it. */
export const tooManyRecords = {
  too_many_records: {
    status: 409,
    message: `There are ${mostRecords} already. Delete some first.`,
    data: z.object({ limit: z.number() }),
  },
} as const;

const plain: CallMeta = {
  access: { who: 'public' },
  ownTransactions: false,
  recentSignIn: false,
  shownOnce: [],
};
const base = oc.$meta<CallMeta>(plain).errors(commonErrors);

interface CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  summary: string;
  tag: string;
  successStatus?: number;
  ownTransactions?: boolean;
  recentSignIn?: boolean;
  shownOnce?: readonly string[];
}

const metaOf = (access: Access, { ownTransactions, recentSignIn, shownOnce }: CallOptions): CallMeta => ({
  access,
  ownTransactions: ownTransactions ?? false,
  recentSignIn: recentSignIn ?? false,
  shownOnce: shownOnce ?? [],
});

const route = ({ method, path, summary, tag, successStatus }: CallOptions) => ({
  method,
  path,
  summary,
  tags: [tag],
  ...(successStatus === undefined ? {} : { successStatus }),
});

/** A call that anybody may make. */
export const publicCall = (options: CallOptions) =>
  base.route(route(options)).meta(metaOf({ who: 'public' }, options));

/** A call for any signed-in user, about what belongs to that user. Not for API keys, which act for an organization. */
export const userCall = (options: CallOptions) =>
  base.route(route(options)).meta(metaOf({ who: 'signed_in' }, options));

/** A call for members of the tenant who have the ability `needs`. */
export const memberCall = (
  options: CallOptions & {
    needs: Need;
    alsoNeeds?: readonly Need[];
    tenant: 'organization_id' | TenantRecord;
  },
) => {
  const { needs, alsoNeeds = [], tenant } = options;
  return base.route(route(options)).meta(metaOf({ who: 'member', needs, alsoNeeds, tenant }, options));
};
