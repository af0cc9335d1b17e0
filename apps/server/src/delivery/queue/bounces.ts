import type { EventCondition, MessageEvent } from '../../events/event.ts';
import { eventSteps } from '../../events/store-events.ts';
import type { Step } from '../../platform/database/pipelined.ts';
import { suppressBounced, type BouncedAddress } from '../../content/consent/suppress-bounced.ts';

/** A bounce is an event, and suppresses an address that does not exist. */
export interface Bounce {
  event: MessageEvent;
  suppressed: BouncedAddress | undefined;
}

/** In the transaction that stores the results, behind them. */
export function bounceSteps(organizationId: string, sendId: string, bounces: Bounce[]): Step[] {
  const suppressed = bounces.flatMap((bounce) => bounce.suppressed ?? []);
  const events = bounces.map(({ event }) => event);
  return [
    ...(suppressed.length > 0 ? [suppressBounced(organizationId, sendId, suppressed)] : []),
    ...eventSteps(organizationId, events, isStoredAsBounced),
  ];
}

/** Somebody else may have stored another result of the same message before. */
const isStoredAsBounced: EventCondition = {
  name: 'bounced',
  text: `exists (select from delivery_results r
    where r.organization_id = $1 and r.send_id = e.send_id and r.seq = e.seq and r.state = 'bounced')`,
};
