import type { Permission } from '@reachout/contract/operation.ts';
import { ORPCError } from '@orpc/contract';
import { writeAuditEntry, type AuditedCaller } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import {
  getMembership,
  isAllowed,
  organizationSuspended,
  requireCommonAccessScope,
  type Access,
  type Membership,
} from '../access/membership.ts';
import type { OperationContext, RequestContext } from '../access/operations.ts';
import { forbidden, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { requireStillAllowed, type ActingMember } from '../roles/role-grant.ts';
import { deleteLink } from './invitation-link.queries.ts';
import { cancelInvitation } from './invitation-send.ts';
import { findByTokenHash, findInvitation, findProvenEmail } from './invitation-token.queries.ts';
import { invitationHash, linkHash } from './invitation.ts';
import { declineInvitation } from './respond-to-invitation.ts';

const needed: Permission = ['delete', 'Invitation'];

/**
 * Ends an invitation by its token. A member who may delete invitations of the organization cancels it, or disables the
 * organization's link; the invited person, and anyone with the token who is no member, declines.
 * @throws 404 for an unknown token, and that of a link; 409 `not_pending`; 403 `forbidden` for other members,
 *   `beyond_own_rights`, `organization_suspended`, `second_factor_required`
 */
export async function endByToken(
  secrets: Secrets,
  context: Pick<RequestContext & OperationContext, 'access' | 'db' | 'findCaller' | 'origin' | 'transaction'>,
  token: string,
): Promise<void> {
  const { access, db, origin } = context;
  const hashes = [...secrets.hashes(invitationHash, token), ...secrets.hashes(linkHash, token)];
  const found = orNotFound(await context.transaction((trx) => findByTokenHash(trx, hashes)));
  const { organization_id: organizationId, invitation_id: invitationId } = found;
  const decline = (trx: Transaction) => declineInvitation(trx, secrets, origin, token);

  const caller = await context.findCaller();
  const member = caller && (await findMember(access, caller, organizationId));
  if (caller === undefined || member === undefined) return await context.transaction(decline);
  const { userId, apiKey } = caller;
  if (!isAllowed(member, needed))
    return await limitedTransaction(db, { userId, organizationId }, async (trx) => {
      if (invitationId !== null && !(await isRecipient(trx, invitationId, userId)))
        throw forbidden(...needed);
      return await decline(trx);
    });
  if (member.status === 'suspended') throw organizationSuspended();
  const accessScope = requireCommonAccessScope(member, [needed]);
  const acting: ActingMember = { organizationId, userId, rules: member.rules };
  const who: AuditedCaller = { userId, apiKey, organizationId, origin };
  await limitedTransaction(db, { userId, organizationId, accessScope }, async (trx) => {
    if (invitationId === null) return await disableLink(trx, acting, who);
    if (await isRecipient(trx, invitationId, userId)) return await decline(trx);
    const record_name = await cancelInvitation(trx, acting, invitationId);
    await writeAuditEntry(trx, who, 'invitations.cancel', {
      record_type: 'invitations',
      record_id: invitationId,
      record_name,
    });
  });
}

/** Whether the invitation is to the user's verified address. */
async function isRecipient(trx: Transaction, invitationId: string, userId: string): Promise<boolean> {
  const invitation = await findInvitation(trx, invitationId);
  return invitation !== undefined && invitation.email === (await findProvenEmail(trx, userId));
}

async function disableLink(trx: Transaction, acting: ActingMember, who: AuditedCaller): Promise<void> {
  await requireStillAllowed(trx, acting, needed);
  await deleteLink(trx);
  await writeAuditEntry(trx, who, 'invitations.removeLink', {
    record_type: 'invitations',
    record_id: who.organizationId,
  });
}

async function findMember(
  access: Access,
  caller: Caller,
  organizationId: string,
): Promise<Membership | undefined> {
  try {
    return await getMembership(access, caller, 'organizations', organizationId);
  } catch (error) {
    if (error instanceof ORPCError && error.status === 404) return undefined;
    throw error;
  }
}
