import type { Figures } from '@reachout/contract/figures.ts';
import type { SendOutcome } from '@reachout/contract/states/send.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';

/** What the badge of a touchpoint shows in a list: its status or, if it was sent, the outcome of its last send. */
export function shownStatus(
  status: Touchpoint['status'],
  figures: Figures | null,
): { status: Touchpoint['status'] | SendOutcome; notDelivered?: number } {
  const send = status === 'sent' ? figures?.last_send : undefined;
  return send ? { status: send.outcome, notDelivered: send.not_delivered } : { status };
}
