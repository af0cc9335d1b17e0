import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { continueSend, stopSend } from '../sends/change-send.ts';
import { lockTouchpoints } from '../../outreach/touchpoints/touchpoint-status.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { listOpenSends } from '../../queue/planned-sends.queries.ts';

type Below = Parameters<typeof listOpenSends>[1];

/**
 * Locks all open sends, then their touchpoints, before the first one is changed: a change locks the touchpoint and the campaign,
 * and whoever has locked another send or touchpoint waits for these. @returns their ids
 */
export async function lockOpenSends(trx: Transaction, below: Below): Promise<string[]> {
  const touchpoints = new Map<string, string>();
  for (;;) {
    // A start that was waited for has queued the next occurrence.
    const more = (await listOpenSends(trx, below)).filter((id) => !touchpoints.has(id));
    if (more.length === 0) break;
    for (const id of more) touchpoints.set(id, (await lockSend(trx, id)).touchpoint_id);
  }
  await lockTouchpoints(trx, [...touchpoints.values()]);
  return [...touchpoints.keys()];
}

/**
 * Pauses all sends of a campaign or touchpoint; those that have not started are held, and with them their schedules.
 * @param error  why, if no member did it
 * @returns how many were changed
 */
export async function pauseAll(trx: Transaction, below: Below, error?: SendError): Promise<number> {
  let paused = 0;
  for (const id of await lockOpenSends(trx, below)) if (await stopSend(trx, id, error)) paused += 1;
  await notifyWorkers(trx);
  return paused;
}

/** Resumes all; a send whose time has passed stays held until a member decides about it. */
export async function resumeAll(trx: Transaction, below: Below): Promise<{ resumed: number; held: number }> {
  const counts = { resumed: 0, held: 0 };
  for (const id of await lockOpenSends(trx, below)) {
    const change = await continueSend(trx, id);
    if (change !== undefined) counts[change] += 1;
  }
  await notifyWorkers(trx);
  return counts;
}
