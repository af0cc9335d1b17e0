import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OperationContext } from '../access/operations.ts';
import { newId } from '../../platform/ids.ts';
import { newToken, type Secrets } from '../../platform/secrets.ts';
import { enqueueAccountEmail } from '../account-email/enqueue-account-email.ts';
import { countInvitations } from './invitation-limits.ts';
import {
  endInvitation,
  getInvitedEmail,
  insertInvitation,
  lockInvitation,
  lockPending,
  renewInvitation,
} from './invitation.queries.ts';
import { invitationDays, invitationHash, invitationPlace } from './invitation.ts';
import { listMemberEmails } from '../memberships/member.queries.ts';
import {
  requireClientsOf,
  requireGrantable,
  requireStillAllowed,
  requireVisibleClients,
  requireWithinOwnPermissions,
  type ActingMember,
} from '../roles/role-grant.ts';

const dayMs = 86_400_000;

/** The inviting member. */
type Inviter = ActingMember & Pick<OperationContext, 'requireReauth'>;

export interface InvitationRequest {
  emails: readonly string[];
  role: string;
  client_ids: readonly string[];
  language: 'en' | 'de';
}

/**
 * Invites all given addresses, or none. An address with a pending invitation gets a new link and the new role; members
 * are skipped.
 * @returns the ids of the invitations, and the addresses of members
 * @throws 422 on `role` or `client_ids`; 403 `beyond_own_rights`; 401 `sign_in_again`; 429
 */
export async function invitePeople(
  trx: Transaction,
  secrets: Secrets,
  acting: Inviter,
  { emails, role, client_ids, language }: InvitationRequest,
): Promise<{ ids: string[]; alreadyMembers: string[] }> {
  const everybody = [...new Set(emails.map((email) => email.toLowerCase()))];
  const inviter = await requireStillAllowed(trx, acting, ['create', 'Invitation']);
  await requireVisibleClients(trx, inviter, client_ids);
  await requireGrantable(trx, inviter, role, client_ids);
  await requireClientsOf(trx, role, client_ids);
  if (isAboveGuest(role)) acting.requireReauth();
  const alreadyMembers = await listMemberEmails(trx, everybody);
  const invited = everybody.filter((email) => !alreadyMembers.includes(email));
  if (invited.length === 0) return { ids: [], alreadyMembers };

  // From here on, other invitations of the organization wait: no address is invited twice.
  await countInvitations(trx, secrets, { ...inviter, emails: invited });
  const pending = await lockPending(trx, invited);
  const ids: string[] = [];
  for (const email of invited) {
    const before = pending.find((invitation) => invitation.email === email);
    const id = before?.id ?? newId();
    const row = { role, client_ids, language, ...makeToken(secrets, inviter, id) };
    if (before === undefined) {
      await insertInvitation(trx, { ...row, id, email, organization_id: inviter.organizationId });
    } else {
      await requireWithinOwnPermissions(trx, inviter, before);
      await renewInvitation(trx, id, row);
    }
    await enqueueInvitationEmail(trx, inviter.organizationId, { id, email, language });
    ids.push(id);
  }
  return { ids, alreadyMembers };
}

/**
 * Sends an invitation again, in the name of the acting member.
 * @returns the invited address
 * @throws 404; 409 `not_pending`; 422 on `role`; 403 `beyond_own_rights`; 401 `sign_in_again`; 429
 */
export async function resendInvitation(
  trx: Transaction,
  secrets: Secrets,
  acting: Inviter,
  id: string,
): Promise<string> {
  const inviter = await requireStillAllowed(trx, acting, ['create', 'Invitation']);
  const email = await getInvitedEmail(trx, id);
  await countInvitations(trx, secrets, { ...inviter, emails: [email], again: id });
  const { role, client_ids, status, ...rest } = await lockInvitation(trx, id);
  const language = rest.language === 'de' ? 'de' : 'en';
  if (status !== 'pending') throw notPending();
  await requireGrantable(trx, inviter, role, client_ids);
  if (isAboveGuest(role)) acting.requireReauth();
  await renewInvitation(trx, id, { role, client_ids, language, ...makeToken(secrets, inviter, id) });
  await enqueueInvitationEmail(trx, inviter.organizationId, { id, email, language });
  return email;
}

/**
 * Cancels an invitation, whose link stops working.
 * @returns the invited address
 * @throws 404; 409 `not_pending`; 403 `beyond_own_rights`
 */
export async function cancelInvitation(trx: Transaction, acting: ActingMember, id: string): Promise<string> {
  const grantor = await requireStillAllowed(trx, acting, ['delete', 'Invitation']);
  const invitation = await lockInvitation(trx, id);
  await requireWithinOwnPermissions(trx, grantor, invitation);
  if (!(await endInvitation(trx, id, { status: 'cancelled' }))) throw notPending();
  return invitation.email;
}

/** Custom roles always count as above guest: their rules may change before the invitation is accepted. */
const isAboveGuest = (role: string): boolean => role !== 'guest';

const notPending = () => apiError('not_pending');

function makeToken(secrets: Secrets, { organizationId, userId }: ActingMember, id: string) {
  const token = newToken();
  return {
    token_hash: secrets.hash(invitationHash, token),
    token_sealed: secrets.seal(invitationPlace(organizationId, id), token),
    invited_by: userId,
    days: invitationDays,
  };
}

async function enqueueInvitationEmail(
  trx: Transaction,
  organizationId: string,
  { id, email, language }: { id: string; email: string; language: 'en' | 'de' },
): Promise<void> {
  await enqueueAccountEmail(trx, {
    kind: 'invitation',
    recipient: email,
    language,
    payload: { organization_id: organizationId, invitation_id: id },
    validForMs: invitationDays * dayMs,
  });
}
