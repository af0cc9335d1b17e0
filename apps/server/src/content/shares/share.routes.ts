import type { Share } from '@reachout/contract/content-shares.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { visitorTransaction } from '../../identity/access/limited-transaction.ts';
import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { networkOf } from '../../platform/ip-prefix.ts';
import { rejectPlatformCollections } from '../collections/item-input.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { deleteShare, getShare, listShares, type ListedShare } from './shares.queries.ts';
import { createShare, findUsableShare, openSharedItem, type ShareDeps } from './shares.ts';

interface ShareRoutesDeps extends ShareDeps {
  config: { publicUrl: string };
}

/** A share has the permissions of its role for all clients. @throws 403 */
function denyLimited(context: OperationContext): void {
  requireWholeOrganization(context, 'read', 'Content');
  requireWholeOrganization(context, 'update', 'Content');
}

/** Shares for the screens. The content API has the same ones (`rest-api/shares.routes.ts`). */
export function createShareRoutes({ config: { publicUrl }, ...deps }: ShareRoutesDeps) {
  const show = (organizationId: string, share: ListedShare): Share => ({
    ...share,
    url: `${publicUrl}/shares/${organizationId}/${share.id}`,
  });
  return {
    shares: inTransaction(operations.content.shares, async (trx, input, context) => {
      denyLimited(context);
      const { organizationId } = context;
      await denyWithDirectus(trx, organizationId);
      const { items, count } = await listShares(trx, organizationId, input);
      return { items: items.map((share) => show(organizationId, share)), count };
    }),
    createShare: operations.content.createShare.handler(async ({ input, context }) => {
      denyLimited(context);
      const { organizationId } = context;
      const { organization_id: _organization, password, ...given } = input;
      rejectPlatformCollections(given.collection);
      const hash = password === undefined ? null : await deps.passwords.hash(organizationId, password);
      return await context.commit(async (trx) => {
        await denyWithDirectus(trx, organizationId);
        const share = {
          ...given,
          date_start: given.date_start ?? null,
          date_end: given.date_end ?? null,
          max_uses: given.max_uses ?? null,
        };
        const id = await createShare(trx, context, share, { passwordHash: hash, mustRead: true });
        const details = { collection: given.collection, item: given.item };
        context.note({ record_id: id, record_name: given.name, details });
        return show(organizationId, await getShare(trx, organizationId, id));
      });
    }),
    deleteShare: inTransaction(operations.content.deleteShare, async (trx, { id }, context) => {
      denyLimited(context);
      const removed = await deleteShare(trx, context.organizationId, id);
      if (removed === undefined) throw notFound();
      context.note({ record_id: id, record_name: removed.name ?? undefined });
      return { id };
    }),
    describeShare: operations.content.describeShare.handler(async ({ input: { organization_id, id } }) => {
      const found = await visitorTransaction(deps.db, organization_id, (trx) =>
        findUsableShare(trx, organization_id, { id, now: new Date() }),
      );
      if (found === undefined) throw notFound();
      const { share } = found;
      return { needs_password: share.password_hash !== null, is_limited: share.max_uses !== null };
    }),
    openShare: operations.content.openShare.handler(async ({ input, context }) => {
      const opened = await openSharedItem(deps, input.organization_id, {
        id: input.id,
        password: input.password,
        ipPrefix: networkOf(context.origin.ipAddress ?? ''),
        now: new Date(),
      });
      if (opened === undefined) throw notFound();
      return opened;
    }),
  };
}
