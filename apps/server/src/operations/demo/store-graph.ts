import { addPastReactions } from '../../delivery/graph/begin-reactions.ts';
import { createEvent, createListener, findAction, noDetails } from '../../delivery/graph/event-graph.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { ageSends } from '../../sample/sends.ts';
import type { PlacedEmail } from './compile-emails.ts';

/**
 * Lets an email react to clicks in the last one of its brand: a week later, unless people unsubscribed. Those who have clicked
 * already wait for it, as they would if it had been so from the start.
 */
export async function storeGraph(
  trx: Transaction,
  organizationId: string,
  emails: readonly PlacedEmail[],
): Promise<void> {
  const reaction = emails.find(({ isReaction }) => isReaction === true);
  const notifier = emails.findLast(({ brand, fate }) => brand === reaction?.brand && fate === 'sent');
  const action = await findAction(trx, 'send_email', 'email');
  if (reaction === undefined || notifier === undefined || action === undefined) return;
  await ageSends(trx, reaction.touchpointId, reaction.at);
  const eventId = await createEvent(trx, {
    ...noDetails,
    campaign_id: notifier.campaignId,
    event_type: 'CLICK',
    is_active: true,
    notifier_touchpoint_id: notifier.touchpointId,
    touchpoint_event_action_id: action.id,
  });
  await createListener(trx, eventId, {
    listener_touchpoint_id: reaction.touchpointId,
    delay: 'P7D',
    unless: { event_type: 'UNSUBSCRIBE', event: null, touchpoint_id: null },
    once_per_contact: true,
    quiet_hours: true,
  });
  await addPastReactions(trx, organizationId, eventId, 7);
}
