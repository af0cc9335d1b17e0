import type { Transaction } from '../../platform/database/database.ts';
import { storeTrackingChoice } from './choices.queries.ts';

/** Stores that addresses have agreed with a sign-up that opens and clicks are measured. @param addressKeys  normalized */
export async function agreeToTrackingPast(
  trx: Transaction,
  of: { organizationId: string; brandId: string },
  addressKeys: readonly string[],
): Promise<void> {
  for (const addressKey of addressKeys)
    await storeTrackingChoice(trx, { ...of, addressKey, source: 'sign_up' }, true);
}
