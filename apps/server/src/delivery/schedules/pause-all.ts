import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { continueSend, stopSend } from '../sends/change-send.ts';
import { listOpenSends } from '../../queue/planned-sends.queries.ts';

type Below = Parameters<typeof listOpenSends>[1];

/**
 * Pauses all sends of a campaign or touchpoint; those that have not started are held, and with them their schedules.
 * @returns how many were changed
 */
export async function pauseAll(trx: Transaction, below: Below): Promise<number> {
  let paused = 0;
  for (const id of await listOpenSends(trx, below)) if (await stopSend(trx, id)) paused += 1;
  await notifyWorkers(trx);
  return paused;
}

/** Resumes all; a send whose time has passed stays held until a member decides about it. */
export async function resumeAll(trx: Transaction, below: Below): Promise<{ resumed: number; held: number }> {
  const counts = { resumed: 0, held: 0 };
  for (const id of await listOpenSends(trx, below)) {
    const change = await continueSend(trx, id);
    if (change !== undefined) counts[change] += 1;
  }
  await notifyWorkers(trx);
  return counts;
}
