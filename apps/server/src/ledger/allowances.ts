import type { Allowance } from './allowance.ts';
import { dailyLimit } from './daily-limit.ts';

/** In the order in which they are asked: the first that is short is the one that is shown. */
const allowances: readonly Allowance[] = [dailyLimit];

/** Asks each allowance: see `Allowance`. */
export const reserve: Allowance['reserve'] = async (trx, sender, policy) => {
  for (const allowance of allowances) {
    const shortage = await allowance.reserve(trx, sender, policy);
    if (shortage !== undefined) return shortage;
  }
  return undefined;
};
