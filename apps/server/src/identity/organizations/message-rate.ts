import { inOrganization, type Database } from '../../platform/database/database.ts';
import { updateMessageRate } from './organization.queries.ts';

/**
 * For the operator's own terminal: no operation of the API changes it. Workers see it when they begin with a send.
 * @param perMinute  messages; null for the rate that the settings give to all
 * @returns the name of the organization; undefined when there is none
 */
export const setMessageRate = (
  db: Database,
  organizationId: string,
  perMinute: number | null,
): Promise<string | undefined> =>
  inOrganization(db, organizationId, (trx) => updateMessageRate(trx, organizationId, perMinute));
