import type { Transaction } from '../../platform/database/database.ts';
import { eraseOrganizationRow } from './organization.queries.ts';

/** With all that is left of it, 30 days after it was deleted. @returns false when it is not to be erased */
export const eraseOrganizationItself = (trx: Transaction, organizationId: string): Promise<boolean> =>
  eraseOrganizationRow(trx, organizationId);
