import type { Transaction } from '../../platform/database/database.ts';
import { eraseOrganizationRow } from './organization.queries.ts';

/** Erases an organization with all remaining data, 30 days after its deletion. @returns false if it is not due */
export const eraseOrganizationItself = (trx: Transaction, organizationId: string): Promise<boolean> =>
  eraseOrganizationRow(trx, organizationId);
