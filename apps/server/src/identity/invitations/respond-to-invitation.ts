import { accessScopeOf, canGrant } from '@reachout/contract/abilities.ts';
import { writeAuditEntry } from '../access/audit.ts';
import type { RequestOrigin } from '../access/caller.ts';
import { organizationSuspended } from '../access/membership.ts';
import { apiError, orNotFound } from '../../platform/http/api-error.ts';
import { enterOrganization, type Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { useLink } from './invitation-link.queries.ts';
import {
  findByTokenHash,
  findInvitation,
  findInvitingOrganization,
  findLinkForHolder,
  findProvenEmail,
} from './invitation-token.queries.ts';
import { endInvitation, cancelInvitations } from './invitation.queries.ts';
import { invitationHash, linkHash } from './invitation.ts';
import { addMember, isMember, lockSponsor, replaceMemberClients } from '../memberships/member.queries.ts';
import { lockRoleRules } from '../roles/role-grant.ts';

interface Responder {
  userId: string;
  origin: RequestOrigin;
}

/**
 * Makes the invited user a member. Leaves the transaction in that organization.
 * @returns the organization's id
 * @throws 404 for an unknown token; 403 `other_recipient`, `organization_suspended`; 409 `already_member`,
 *   `not_pending`
 */
export async function acceptInvitation(
  trx: Transaction,
  secrets: Secrets,
  { userId, origin }: Responder,
  token: string,
): Promise<string> {
  const hashes = secrets.hashes(invitationHash, token);
  const { organizationId, organization, invitationId } = await enterByToken(trx, hashes);
  const invitation = await getInvitation(trx, invitationId);
  const email = await findProvenEmail(trx, userId);
  if (email !== invitation.email) throw apiError('other_recipient');
  if (organization.status === 'suspended') throw organizationSuspended();
  if (await isMember(trx, userId)) throw alreadyMember();

  const { role, client_ids } = invitation;
  const isSponsored = await isSponsorAllowed(trx, organizationId, invitation.invited_by, {
    role,
    client_ids,
  });
  if (!isSponsored || !(await endInvitation(trx, invitation.id, { status: 'accepted', hashes })))
    throw notPending();
  await join(trx, { organization_id: organizationId, user_id: userId, role }, client_ids);
  await writeAuditEntry(trx, { userId, organizationId, origin }, 'invitations.accept', {
    record_type: 'invitations',
    record_id: invitation.id,
    record_name: email,
    details: { role },
  });
  return organizationId;
}

/** @throws 404 for an unknown token; 409 `not_pending` */
export async function declineInvitation(
  trx: Transaction,
  secrets: Secrets,
  origin: RequestOrigin,
  token: string,
): Promise<void> {
  const hashes = secrets.hashes(invitationHash, token);
  const { organizationId, invitationId } = await enterByToken(trx, hashes);
  const invitation = await getInvitation(trx, invitationId);
  if (!(await endInvitation(trx, invitation.id, { status: 'declined', hashes }))) throw notPending();
  await writeAuditEntry(trx, { userId: undefined, organizationId, origin }, 'invitations.decline', {
    record_type: 'invitations',
    record_id: invitation.id,
    record_name: invitation.email,
  });
}

/**
 * Makes the holder of an organization's link a guest there. Leaves the transaction in that organization.
 * @returns the organization's id
 * @throws 404 for an unknown token; 403 `organization_suspended`; 409 `already_member`, `not_pending`
 */
export async function joinByLink(
  trx: Transaction,
  secrets: Secrets,
  { userId, origin }: Responder,
  token: string,
): Promise<string> {
  const hashes = secrets.hashes(linkHash, token);
  const { organizationId, organization } = await enterByToken(trx, hashes);
  const link = orNotFound(await findLinkForHolder(trx));
  const email = await findProvenEmail(trx, userId);
  if (organization.status === 'suspended') throw organizationSuspended();
  if (await isMember(trx, userId)) throw alreadyMember();

  const role = 'guest';
  const { client_ids } = link;
  const isSponsored = await isSponsorAllowed(trx, organizationId, link.created_by, { role, client_ids });
  if (email === undefined || !isSponsored || (await useLink(trx, { hashes, userId })) === undefined)
    throw linkNotPending();
  await join(trx, { organization_id: organizationId, user_id: userId, role }, client_ids);
  await cancelInvitations(trx, { email });
  await writeAuditEntry(trx, { userId, organizationId, origin }, 'invitations.join', {
    record_type: 'members',
    record_id: userId,
    details: { role },
  });
  return organizationId;
}

/** Switches the transaction to the organization of a token. @throws 404 */
export async function enterByToken(trx: Transaction, hashes: string[]) {
  const found = orNotFound(await findByTokenHash(trx, hashes));
  await enterOrganization(trx, found.organization_id);
  const organization = orNotFound(await findInvitingOrganization(trx, found.organization_id));
  const { kind, organization_id: organizationId, invitation_id: invitationId } = found;
  return { kind, organizationId, invitationId, organization };
}

const getInvitation = async (trx: Transaction, id: string | null) =>
  orNotFound(id === null ? undefined : await findInvitation(trx, id));

/**
 * Whether the inviter could send this invitation now: is still a member, may still invite, and grants no more than the
 * inviter's own permissions. Locks the inviter's membership until the transaction ends.
 */
async function isSponsorAllowed(
  trx: Transaction,
  organizationId: string,
  sponsorId: string | null,
  given: { role: string; client_ids: readonly string[] },
): Promise<boolean> {
  const sponsor = sponsorId === null ? undefined : await lockSponsor(trx, sponsorId);
  if (sponsor === undefined) return false;
  const own = await lockRoleRules(trx, organizationId, sponsor.role, sponsor.client_ids);
  const wanted = await lockRoleRules(trx, organizationId, given.role, given.client_ids);
  if (own === undefined || wanted === undefined) return false;
  return (
    accessScopeOf(own, 'create', 'Invitation', organizationId) !== 'nothing' &&
    canGrant(own, wanted, organizationId)
  );
}

async function join(
  trx: Transaction,
  member: { organization_id: string; user_id: string; role: string },
  clientIds: readonly string[],
): Promise<void> {
  if (!(await addMember(trx, member))) throw alreadyMember();
  await replaceMemberClients(trx, member, clientIds);
}

const notPending = () => apiError('not_pending');
const linkNotPending = () => apiError('not_pending');
const alreadyMember = () => apiError('already_member');
