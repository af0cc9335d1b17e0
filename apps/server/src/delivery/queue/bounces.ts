import type { EventCondition, MessageEvent } from '../../events/event.ts';
import { eventSteps } from '../../events/store-events.ts';
import type { Step } from '../../platform/database/pipelined.ts';
import { suppressBounced, type BouncedAddress } from '../../content/consent/suppress-bounced.ts';

/** A bounce is stored as an event. If the address does not exist, it is suppressed. */
export interface Bounce {
  event: MessageEvent;
  suppressed: BouncedAddress | undefined;
}

/** @returns steps that run after the results are stored, in the same transaction */
export function bounceSteps(organizationId: string, sendId: string, bounces: Bounce[]): Step[] {
  const suppressed = bounces.flatMap((bounce) => bounce.suppressed ?? []);
  const events = bounces.map(({ event }) => event);
  return [
    ...(suppressed.length > 0 ? [suppressBounced(organizationId, sendId, suppressed)] : []),
    ...eventSteps(organizationId, events, isStoredAsBounced),
  ];
}

const result = `delivery_results r
    where r.organization_id = $1 and r.send_id = e.send_id and r.seq = e.seq`;

/**
 * Another worker may already have stored a different result of the same message. The event has the time of the result, which
 * is that of the database's clock.
 */
const isStoredAsBounced: EventCondition = {
  name: 'bounced',
  text: `exists (select from ${result} and r.state = 'bounced')`,
  at: `(select r.at from ${result})`,
};
