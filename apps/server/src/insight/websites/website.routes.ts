import { isWithin } from '@reachout/contract/access-scope.ts';
import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { QuotaKind } from '@reachout/contract/organizations.ts';
import type { Website } from '@reachout/contract/websites.ts';
import { listDrops } from '../../events/website-drops.ts';
import { findEventSpan, listNewestEvents, getUse } from '../../events/website-use.ts';
import { inTransactions, operations, type OperationContext } from '../../identity/access/operations.ts';
import { findQuota } from '../../identity/organizations/quotas.ts';
import {
  addGoal,
  changeGoal,
  listWebsiteGoals,
  removeGoal,
} from '../../outreach/channels/website/conversion-goals.ts';
import {
  changeHosts,
  getWebsiteSettings,
  pauseWebsite,
  rotateWebsiteToken,
  startWebsite,
} from '../../outreach/channels/website/website-settings.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The days whose drops are shown. */
const dropDays = 30;

/** @param publicUrl  without a slash at the end */
export function createWebsiteRoutes({ publicUrl }: { publicUrl: string }) {
  const describe = async (trx: Transaction, id: string, { organizationId }: { organizationId: string }) => {
    const of = { organizationId, touchpointId: id };
    const settings = await getWebsiteSettings(trx, id);
    const { first, last_at } = await findEventSpan(trx, of);
    return {
      ...settings,
      tracker_url: `${publicUrl}/tracker.js`,
      first_event: first,
      last_event_at: last_at,
      drops: await listDrops(trx, of, dropDays),
      quotas: await listWebsiteQuotas(trx, of),
    };
  };
  const change = async (
    trx: Transaction,
    id: string,
    context: OperationContext,
    work: (trx: Transaction, id: string) => Promise<string>,
  ) => {
    note(context, id, await work(trx, id));
    return await describe(trx, id, context);
  };
  return inTransactions(operations.websites, {
    get: (trx, { id }, context) => describe(trx, id, context),
    update: (trx, { id, hosts }, context) => change(trx, id, context, () => changeHosts(trx, id, hosts)),
    rotateToken: (trx, { id }, context) => change(trx, id, context, rotateWebsiteToken),
    start: (trx, { id }, context) => change(trx, id, context, startWebsite),
    pause: (trx, { id }, context) => change(trx, id, context, pauseWebsite),
    events: async (trx, { id }, context) => {
      await getWebsiteSettings(trx, id);
      const of = { organizationId: context.organizationId, touchpointId: id };
      return await listNewestEvents(trx, of, { showsUsers: await readsContacts(trx, id, context) });
    },
    goals: (trx, { id }) => listWebsiteGoals(trx, id),
    createGoal: async (trx, { id, ...settings }, context) => {
      const { name, goal } = await addGoal(trx, id, settings);
      note(context, id, name, goal);
      return goal;
    },
    updateGoal: async (trx, { id, goal_id, ...changes }, context) => {
      const { name, goal } = await changeGoal(trx, id, goal_id, changes);
      note(context, id, name, goal);
      return goal;
    },
    deleteGoal: async (trx, { id, goal_id }, context) => {
      const { name, ...goal } = await removeGoal(trx, id, goal_id);
      note(context, id, name, goal);
      return { id: goal_id };
    },
  });
}

async function listWebsiteQuotas(
  trx: Transaction,
  of: Parameters<typeof getUse>[1],
): Promise<Website['quotas']> {
  const { events, bytes } = await getUse(trx, of);
  const limitOf = async (kind: QuotaKind) => (await findQuota(trx, of.organizationId, kind)).limit;
  return [
    { quota: 'website_events', limit: await limitOf('website_events'), used: events },
    {
      quota: 'website_megabytes',
      limit: await limitOf('website_megabytes'),
      used: Math.ceil(bytes / 1_000_000),
    },
  ];
}

/** The audit log names the touchpoint, and the event of a goal. */
const note = (context: OperationContext, id: string, name: string, goal?: { event: string }): void =>
  context.note({
    record_type: 'touchpoints',
    record_id: id,
    record_name: name,
    ...(goal && { values: { event: goal.event } }),
  });

/** Whether the caller may read content at this touchpoint: permission for statistics can have another access scope. */
async function readsContacts(
  trx: Transaction,
  touchpointId: string,
  { can, rules, organizationId }: OperationContext,
): Promise<boolean> {
  if (!can('read', 'Content')) return false;
  const readable = accessScopeOf(rules, 'read', 'Content', organizationId);
  const { client_id, brand_id } = await requireTouchpoint(trx, touchpointId);
  return (
    isWithin({ client_ids: [client_id], brand_ids: [] }, readable) ||
    isWithin({ client_ids: [], brand_ids: [brand_id] }, readable)
  );
}
