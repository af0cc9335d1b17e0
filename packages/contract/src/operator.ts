import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { userOperations } from './operation.ts';
import { maxReasonLength } from './rules/lengths.ts';
import { organizationStatuses, userStatuses } from './statuses.ts';
import { id, list, paging, search, singleLine, timestamp } from './values.ts';

/** An organization as operators of the installation see it. */
export const OperatedOrganization = z.object({
  id,
  name: z.string(),
  status: z.enum(organizationStatuses),
  /** Why an operator changed the status, for those concerned; null while active. */
  status_reason: z.string().nullable(),
  members: z.number(),
  created_at: timestamp,
});
export type OperatedOrganization = z.infer<typeof OperatedOrganization>;

/** A user as operators of the installation see it. */
export const OperatedUser = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  status: z.enum(userStatuses),
  status_reason: z.string().nullable(),
  created_at: timestamp,
});
export type OperatedUser = z.infer<typeof OperatedUser>;

const forOperators = userOperations('Operators');
/** Required, and sent to those concerned, unless the status becomes active. */
const reason = singleLine(maxReasonLength).optional();

/** Only for users whose addresses are listed in the setting OPERATORS; denied for all others. */
export const operator = {
  organizations: forOperators(
    'GET /operator/organizations',
    'All organizations of the installation, newest first',
  )
    .input({ search, status: z.enum(organizationStatuses).optional(), ...paging() })
    .output(list(OperatedOrganization)),
  setOrganizationStatus: forOperators(
    'PUT /operator/organizations/{id}/status',
    'Activate, deactivate (hide) or suspend (read-only) an organization; its owners get an email',
    { manualTransaction: true, requiresReauth: true },
  )
    .input({ id, status: z.enum(organizationStatuses), reason })
    .output({ id }),
  users: forOperators('GET /operator/users', 'All users of the installation, newest first')
    .input({ search, status: z.enum(userStatuses).optional(), ...paging() })
    .output(list(OperatedUser)),
  setUserStatus: forOperators(
    'PUT /operator/users/{id}/status',
    'Suspend or activate a user, who gets an email; a suspended one is signed out everywhere',
    { manualTransaction: true, requiresReauth: true },
  )
    .input({ id, status: z.enum(userStatuses), reason })
    .errors(pickErrors('own_account'))
    .output({ id }),
};
