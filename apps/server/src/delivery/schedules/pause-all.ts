import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { continueSend, stopSend } from '../sends/change-send.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { listOpenSends } from '../../queue/planned-sends.queries.ts';

type Below = Parameters<typeof listOpenSends>[1];

/**
 * Locks all open sends before the first one is changed: a change locks the touchpoint and the campaign, and a worker that
 * holds another send waits for these. @returns their ids
 */
export async function lockOpenSends(trx: Transaction, below: Below): Promise<string[]> {
  const ids = await listOpenSends(trx, below);
  for (const id of ids) await lockSend(trx, id);
  return ids;
}

/**
 * Pauses all sends of a campaign or touchpoint; those that have not started are held, and with them their schedules.
 * @returns how many were changed
 */
export async function pauseAll(trx: Transaction, below: Below): Promise<number> {
  let paused = 0;
  for (const id of await lockOpenSends(trx, below)) if (await stopSend(trx, id)) paused += 1;
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
