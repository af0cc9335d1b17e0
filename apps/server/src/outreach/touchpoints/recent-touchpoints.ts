import type { ListedTouchpoint } from '@reachout/contract/touchpoints.ts';
import { withFigures, type FigureReader } from '../../clients/figures/figures.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { toTouchpoint } from './touchpoint.ts';
import { listRecentTouchpoints } from './touchpoint.queries.ts';

/** The five newest touchpoints, with their figures. @param clientId  limits them to this client */
export async function recentTouchpoints(
  trx: Transaction,
  reader: FigureReader,
  clientId: string | undefined,
): Promise<ListedTouchpoint[]> {
  const rows = await listRecentTouchpoints(trx, clientId);
  return await withFigures(trx, reader, 'touchpoint', rows.map(toTouchpoint));
}
