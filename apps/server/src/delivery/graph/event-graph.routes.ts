import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { inTransaction, inTransactions, operations } from '../../identity/access/operations.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput, orNotFound } from '../../platform/http/api-error.ts';
import { touchpointEventTypes } from '@reachout/contract/rules/event-graph.ts';
import { cancelReaction, findReaction, listReactions } from '../../queue/reactions.queries.ts';
import {
  changeEvent,
  changeListener,
  createEvent,
  createListener,
  describeEvent,
  describeEvents,
  foreseeEffect,
  removeEvent,
  removeListener,
} from './event-graph.ts';
import { listActions, listEvents, listMatches, listTypes } from './event-graph.queries.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import { rehearse } from './rehearse.ts';
import { startGraph } from './starters.ts';

/** What an event is called in the audit log. */
const nameOf = ({ event_type, notifier_name }: { event_type: string; notifier_name: string | null }) =>
  [notifier_name, event_type].filter(Boolean).join(': ');

async function noteListener(
  trx: Transaction,
  id: string,
  { listener_name: listener }: { listener_name: string },
  { note }: { note: (entry: { record_name: string; details: { listener: string } }) => void },
): Promise<TouchpointEvent> {
  const event = await describeEvent(trx, id);
  note({ record_name: nameOf(event), details: { listener } });
  return event;
}

const eventRoutes = inTransactions(operations.touchpointEvents, {
  list: async (trx, query) => ({ items: await describeEvents(trx, await listEvents(trx, query)) }),
  get: (trx, { id }) => describeEvent(trx, id),
  create: async (trx, { organization_id: _organization, ...fields }, context) => {
    const event = await describeEvent(trx, await createEvent(trx, fields));
    context.note({ record_name: nameOf(event) });
    return event;
  },
  update: async (trx, input, context) => {
    context.note({ record_name: nameOf(await changeEvent(trx, input)) });
    return await describeEvent(trx, input.id);
  },
  delete: async (trx, { id }, context) => {
    context.note({ record_name: nameOf(await removeEvent(trx, id)) });
    return { id };
  },
  createListener: async (trx, { id, ...fields }, context) => {
    const listenerId = await createListener(trx, id, fields);
    const event = await describeEvent(trx, id);
    const listener = event.listeners.find((row) => row.id === listenerId)?.listener_name;
    context.note({ record_name: nameOf(event), details: { listener, action: event.action } });
    return event;
  },
  updateListener: async (trx, input, context) =>
    await noteListener(trx, input.id, await changeListener(trx, input), context),
  deleteListener: async (trx, input, context) =>
    await noteListener(trx, input.id, await removeListener(trx, input), context),
  effect: (trx, input) => foreseeEffect(trx, input),
  matches: async (trx, { notifier_touchpoint_id, event_type, event }) => {
    const { type } = await requireTouchpoint(trx, notifier_touchpoint_id);
    if (!(touchpointEventTypes[type] as readonly string[]).includes(event_type))
      throw invalidInput('event_type', 'This touchpoint has no events of this type.');
    return await listMatches(trx, notifier_touchpoint_id, { event_type, event });
  },
});

const reactionRoutes = inTransactions(operations.reactions, {
  list: (trx, { organization_id: _organization, ...query }) => listReactions(trx, query),
  cancel: async (trx, { id }, context) => {
    const { touchpoint_id, touchpoint_name } = orNotFound(await findReaction(trx, id));
    if (!(await cancelReaction(trx, id, 'cancelled_by_member'))) throw apiError('reaction_over');
    // The audit log names no contact.
    context.note({
      record_type: 'touchpoints',
      record_id: touchpoint_id,
      record_name: touchpoint_name ?? undefined,
    });
    return orNotFound(await findReaction(trx, id));
  },
});

export const eventGraphRoutes = {
  touchpointEventTypes: inTransactions(operations.touchpointEventTypes, { list: (trx) => listTypes(trx) }),
  touchpointEventActions: inTransactions(operations.touchpointEventActions, {
    list: (trx) => listActions(trx),
  }),
  touchpointEvents: eventRoutes,
  reactions: reactionRoutes,
};

export const startGraphRoute = inTransaction(
  operations.campaigns.startGraph,
  async (trx, { id, starter, language }, context) => {
    const { name, eventId } = await startGraph(trx, id, { starter, language });
    context.note({ record_id: id, record_name: name, details: { events: 1 } });
    return { items: [await describeEvent(trx, eventId)] };
  },
);

export const rehearseRoute = inTransaction(
  operations.campaigns.rehearseGraph,
  async (trx, { id, days }, { organizationId }) => {
    await requireCampaign(trx, id);
    return await rehearse(trx, { id, organizationId, days });
  },
);
