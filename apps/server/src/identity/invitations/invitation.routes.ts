import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { MyInvitation } from '@reachout/contract/me.ts';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { ShowLogo } from '../storage/logo-preview.ts';
import { endByToken } from './end-by-token.ts';
import { findLinkToken } from './link-token.ts';
import { acceptInvitation } from './respond-to-invitation.ts';
import { previewInvitation } from './invitation-preview.ts';
import { cancelInvitation, invitePeople, resendInvitation } from './invitation-send.ts';
import { findInvitingOrganization, listMyInvitations } from './invitation-token.queries.ts';
import { listInvitations, listInvitationsById, type InvitationRow } from './invitation.queries.ts';
import { invitationPlace, invitationUrl, openToken } from './invitation.ts';
import { readableClients, withinOwnPermissions } from '../roles/role-grant.ts';

export interface InvitationDeps {
  secrets: Secrets;
  publicUrl: string;
  showLogo: ShowLogo;
}

export function createInvitationRoutes(deps: InvitationDeps) {
  const { secrets, showLogo } = deps;
  const showById = async (trx: Transaction, ids: readonly string[], context: OperationContext) =>
    await showAll(deps, trx, await listInvitationsById(trx, ids, readableClients(context)), context);
  const getById = async (trx: Transaction, id: string, context: OperationContext) => {
    const [invitation] = await showById(trx, [id], context);
    if (invitation === undefined) throw notFound();
    return invitation;
  };

  return {
    list: inTransaction(operations.invitations.list, async (trx, input, context) => {
      const { items, count } = await listInvitations(trx, input, readableClients(context));
      return { items: await showAll(deps, trx, items, context), count };
    }),
    create: inTransaction(operations.invitations.create, async (trx, input, context) => {
      const { ids, alreadyMembers } = await invitePeople(trx, secrets, context, input);
      const items = await showById(trx, ids, context);
      const { role } = input;
      const clients = (items[0]?.clients ?? []).map(({ name }) => name);
      context.note({
        record_id: ids.length === 1 ? ids[0] : undefined,
        record_name: items.length === 1 ? items[0]?.email : undefined,
        details: { role, clients, count: ids.length },
      });
      return { items, already_members: alreadyMembers };
    }),
    resend: inTransaction(operations.invitations.resend, async (trx, input, context) => {
      const email = await resendInvitation(trx, secrets, context, input.invitation_id);
      context.note({ record_id: input.invitation_id, record_name: email, details: {} });
      return await getById(trx, input.invitation_id, context);
    }),
    cancel: inTransaction(operations.invitations.cancel, async (trx, input, context) => {
      const email = await cancelInvitation(trx, context, input.invitation_id);
      context.note({ record_id: input.invitation_id, record_name: email, details: {} });
      return await getById(trx, input.invitation_id, context);
    }),
    preview: operations.invitations.preview.handler(async ({ input, context }) => {
      const preview = await context.transaction((trx) => previewInvitation(trx, secrets, input.token));
      return { ...preview, organization: await withLogo(preview.organization, showLogo) };
    }),
    accept: inTransaction(operations.invitations.accept, async (trx, input, context) => ({
      organization_id: await acceptInvitation(trx, secrets, context, input.token),
    })),
    decline: operations.invitations.decline.handler(async ({ input: { token }, context }) => {
      await endByToken(secrets, context, token);
      return { token };
    }),
  };
}

/**
 * Includes the tokens only if the caller may invite and could grant that role: anyone with the URL of an owner's
 * invitation can become an owner by it.
 */
async function showAll(
  { secrets, publicUrl }: InvitationDeps,
  trx: Transaction,
  rows: readonly InvitationRow[],
  context: OperationContext,
): Promise<Invitation[]> {
  const { rules, organizationId } = context;
  const canInvite = accessScopeOf(rules, 'create', 'Invitation', organizationId) !== 'nothing';
  const isWithinOwn = await withinOwnPermissions(trx, context, canInvite ? rows : []);
  const organization = {
    name: (await findInvitingOrganization(trx, organizationId))?.name ?? '',
    invitation_token: await findLinkToken(trx, secrets, context),
  };
  return rows.map(({ token_sealed, client_ids, ...row }) => {
    const token =
      token_sealed === null || row.is_expired || !isWithinOwn({ role: row.role, client_ids })
        ? undefined
        : openToken(secrets, invitationPlace(organizationId, row.id), token_sealed);
    const shown =
      token === undefined ? { token: null, url: null } : { token, url: invitationUrl(publicUrl, token) };
    return { ...row, organization_id: organizationId, organization, ...shown };
  });
}

/** An operation of `me` that returns invitation tokens of organizations. */
export const createMyInvitationsRoute = ({ secrets, showLogo }: InvitationDeps) =>
  operations.me.invitations.handler(async ({ context }) => {
    const items = await context.transaction(async (trx) =>
      (await listMyInvitations(trx)).flatMap((row): MyInvitation[] => {
        const { organization_id, organization_name, logo_url, token_sealed, ...invitation } = row;
        const token =
          token_sealed === null
            ? undefined
            : openToken(secrets, invitationPlace(organization_id, row.id), token_sealed);
        return token === undefined
          ? []
          : [{ ...invitation, organization_id, organization: { name: organization_name, logo_url }, token }];
      }),
    );
    const shown = await Promise.all(
      items.map(async (item) => ({ ...item, organization: await withLogo(item.organization, showLogo) })),
    );
    return { items: shown, count: shown.length };
  });

/** An invited person is not yet a member and cannot read the file of the logo. */
const withLogo = async <T extends { logo_url: string | null }>(
  organization: T,
  showLogo: ShowLogo,
): Promise<T> => ({
  ...organization,
  logo_url: await showLogo(organization.logo_url),
});
