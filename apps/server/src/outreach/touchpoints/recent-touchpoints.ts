import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { toTouchpoint } from './touchpoint.ts';
import { listRecentTouchpoints } from './touchpoint.queries.ts';

/** The five newest touchpoints. @param clientId  only those of this client */
export const recentTouchpoints = async (
  trx: Transaction,
  clientId: string | undefined,
): Promise<Touchpoint[]> => (await listRecentTouchpoints(trx, clientId)).map(toTouchpoint);
