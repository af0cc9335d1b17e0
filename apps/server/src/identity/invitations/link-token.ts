import type { OperationContext } from '../access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { findLink } from './invitation-link.queries.ts';
import { linkPlace, openToken } from './invitation.ts';

/**
 * The token of the organization's invitation link, for callers who may read the link (`getLink`).
 * @returns null for all others, and without a link
 */
export async function findLinkToken(
  trx: Transaction,
  secrets: Secrets,
  { can, organizationId }: Pick<OperationContext, 'can' | 'organizationId'>,
): Promise<string | null> {
  if (!can('read', 'Invitation') || !can('create', 'Invitation')) return null;
  const link = await findLink(trx, 'nothing');
  return link === undefined
    ? null
    : (openToken(secrets, linkPlace(organizationId), link.token_sealed) ?? null);
}
