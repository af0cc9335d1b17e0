import type { Transaction } from '../../platform/database/database.ts';
import { getBrandId, listNames, getCampaignId, getTouchpoint, hasBeenSent } from './touchpoint.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

/** For higher layers that store data of a touchpoint. @throws 404 unless it exists and is visible */
export const requireTouchpoint = (trx: Transaction, id: string): Promise<TouchpointRow> =>
  getTouchpoint(trx, id);

/** The status of a touchpoint that nothing is planned for any more: whether a send of it has reached somebody. */
export const statusAtEnd = async (trx: Transaction, id: string): Promise<'sent' | 'draft'> =>
  (await hasBeenSent(trx, id)) ? 'sent' : 'draft';

/** @returns the names of touchpoints that are not deleted, by their ids */
export const findTouchpointNames = async (
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, string>> => new Map((await listNames(trx, ids)).map(({ id, name }) => [id, name]));

/** Also of a deleted touchpoint. */
export const findCampaignOf = (trx: Transaction, id: string): Promise<string | undefined> =>
  getCampaignId(trx, id);

/** @returns undefined for a missing or deleted touchpoint */
export const findBrandOf = (trx: Transaction, id: string): Promise<string | undefined> => getBrandId(trx, id);
