import type { Transaction } from '../../platform/database/database.ts';
import { getTouchpoint } from './touchpoint.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

/** For rooms that keep something of a touchpoint. @throws 404 unless it is there and visible */
export const requireTouchpoint = (trx: Transaction, id: string): Promise<TouchpointRow> =>
  getTouchpoint(trx, id);
