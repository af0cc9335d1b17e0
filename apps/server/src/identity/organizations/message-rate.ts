import { inOrganization, type Database } from '../../platform/database/database.ts';
import { updateMessageRate } from './organization.queries.ts';

/**
 * Only for the operator's terminal: no operation of the API changes the rate. Workers read it when they start a send.
 * @param perMinute  messages; null for the default of the settings
 * @returns the name of the organization; undefined if there is none
 */
export const setMessageRate = (
  db: Database,
  organizationId: string,
  perMinute: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateMessageRate(trx, organizationId, perMinute));
