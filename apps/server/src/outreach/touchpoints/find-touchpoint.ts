import type { Transaction } from '../../platform/database/database.ts';
import { getTouchpoint } from './touchpoint.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

/** For higher layers that store data of a touchpoint. @throws 404 unless it exists and is visible */
export const requireTouchpoint = (trx: Transaction, id: string): Promise<TouchpointRow> =>
  getTouchpoint(trx, id);
