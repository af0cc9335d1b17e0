import { inOrganization, type Database } from '../../platform/database/database.ts';
import { updateDailyRecipientLimit } from './organization.queries.ts';

/**
 * Only for the operator's terminal: no operation of the API changes the limit.
 * @param limit  null for the default of the settings
 * @returns the name of the organization; undefined if there is none
 */
export const setDailyRecipientLimit = (
  db: Database,
  organizationId: string,
  limit: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateDailyRecipientLimit(trx, organizationId, limit));
