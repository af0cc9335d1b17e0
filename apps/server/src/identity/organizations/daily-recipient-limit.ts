import { inOrganization, type Database } from '../../platform/database/database.ts';
import { updateDailyRecipientLimit } from './organization.queries.ts';

/**
 * For the operator's own terminal: no operation of the API changes it.
 * @param limit  null for the one that the settings give to all
 * @returns the name of the organization; undefined when there is none
 */
export const setDailyRecipientLimit = (
  db: Database,
  organizationId: string,
  limit: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateDailyRecipientLimit(trx, organizationId, limit));
