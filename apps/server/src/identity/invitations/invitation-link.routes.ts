import type { InvitationLink } from '@reachout/contract/invitations.ts';
import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import { newToken } from '../../platform/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { joinByLink } from './respond-to-invitation.ts';
import { deleteLink, findLink, replaceLink } from './invitation-link.queries.ts';
import type { InvitationDeps } from './invitation.routes.ts';
import { linkHash, linkPlace, linkUrl, openToken } from './invitation.ts';
import {
  readableClients,
  requireGrantable,
  requireStillMember,
  requireVisibleClients,
} from '../roles/role-grant.ts';

/** The single invitation link of an organization: anyone who has it can become a guest. */
export function createInvitationLinkRoutes({ secrets, publicUrl }: InvitationDeps) {
  const show = async (trx: Transaction, context: OperationContext): Promise<InvitationLink | null> => {
    const found = await findLink(trx, readableClients(context));
    if (found === undefined) return null;
    const { token_sealed, ...link } = found;
    const invitation_token = openToken(secrets, linkPlace(context.organizationId), token_sealed);
    // Sealed with an unknown key: the link cannot be used or shown, so it counts as missing.
    return invitation_token === undefined
      ? null
      : { ...link, invitation_token, url: linkUrl(publicUrl, invitation_token) };
  };

  return {
    getLink: inTransaction(operations.invitations.getLink, (trx, _input, context) => show(trx, context)),
    renewLink: inTransaction(operations.invitations.renewLink, async (trx, input, context) => {
      const { organizationId, userId } = context;
      const { client_ids, max_uses, days } = input;
      await requireStillMember(trx, userId);
      await requireVisibleClients(trx, context, client_ids);
      await requireGrantable(trx, context, 'guest', client_ids);
      const token = newToken();
      await replaceLink(trx, {
        organization_id: organizationId,
        token_hash: secrets.hash(linkHash, token),
        token_sealed: secrets.seal(linkPlace(organizationId), token),
        client_ids,
        max_uses,
        created_by: userId,
        days,
      });
      const link = (await show(trx, context))!;
      context.note({ details: { clients: link.clients.map(({ name }) => name), max_uses, days } });
      return link;
    }),
    removeLink: inTransaction(operations.invitations.removeLink, async (trx, input) => {
      await deleteLink(trx);
      return { id: input.id };
    }),
    join: inTransaction(operations.invitations.join, async (trx, { token }, context) => ({
      organization_id: await joinByLink(trx, secrets, context, token),
      invitation_token: token,
    })),
  };
}
