import type { InvitationPreview } from '@reachout/contract/invitations.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { enterOrganization, type Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  findByTokenHash,
  findInvitation,
  findLinkForHolder,
  type TokenOwner,
} from './invitation-token.queries.ts';
import { enterByToken } from './respond-to-invitation.ts';
import { invitationHash, linkHash } from './invitation.ts';

/**
 * @returns the data of an invitation or link that the holder of its token may see. Leaves the transaction in that
 *   organization.
 * @throws 404 for an unknown token, or one of a deleted organization
 */
export async function previewInvitation(
  trx: Transaction,
  secrets: Secrets,
  token: string,
): Promise<InvitationPreview> {
  const hashes = [...secrets.hashes(invitationHash, token), ...secrets.hashes(linkHash, token)];
  const { kind, organizationId, invitationId, organization } = await enterByToken(trx, hashes);
  const { name, logo_url } = organization;
  const about = kind === 'email' ? await aboutInvitation(trx, invitationId) : await aboutLink(trx);
  if (about === undefined) throw notFound();
  return { kind, organization_id: organizationId, organization: { name, logo_url }, ...about };
}

/**
 * Finds the invited address, in lower case, while the invitation can be accepted. Leaves the transaction in that
 * organization.
 * @returns undefined for an unknown token, or an invitation that has ended
 */
export async function findPendingByToken(
  trx: Transaction,
  secrets: Secrets,
  token: string,
): Promise<string | undefined> {
  const owner = await findByTokenHash(trx, secrets.hashes(invitationHash, token));
  if (owner === undefined || owner.invitation_id === null) return undefined;
  await enterOrganization(trx, owner.organization_id);
  const invitation = await findInvitation(trx, owner.invitation_id);
  return invitation?.status === 'pending' && !invitation.is_past ? invitation.email : undefined;
}

async function aboutInvitation(trx: Transaction, id: TokenOwner['invitation_id']) {
  const found = id === null ? undefined : await findInvitation(trx, id);
  if (found === undefined) return undefined;
  const { status, is_past, invited_by_name, role, role_name, email, expires_at } = found;
  return {
    status: status === 'pending' && is_past ? ('expired' as const) : status,
    invited_by_name,
    role,
    role_name,
    masked_email: maskAddress(email),
    expires_at,
  };
}

async function aboutLink(trx: Transaction) {
  const found = await findLinkForHolder(trx);
  if (found === undefined) return undefined;
  const { is_past, is_used_up, invited_by_name, expires_at } = found;
  const ended = is_used_up ? ('used_up' as const) : ('pending' as const);
  return {
    status: is_past ? ('expired' as const) : ended,
    invited_by_name,
    role: 'guest',
    role_name: null,
    masked_email: null,
    expires_at,
  };
}
