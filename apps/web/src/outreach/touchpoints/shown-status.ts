import type { Figures } from '@reachout/contract/figures.ts';
import type { SendOutcome } from '@reachout/contract/states/send.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';

/** The status of a touchpoint in a list; if it was sent, the outcome of its last send. */
export const shownStatus = (
  status: Touchpoint['status'],
  figures: Figures | null,
): Touchpoint['status'] | SendOutcome =>
  status === 'sent' ? (figures?.last_send?.outcome ?? status) : status;
