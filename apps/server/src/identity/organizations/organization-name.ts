import type { Transaction } from '../../platform/database/database.ts';
import { findOrganizationName } from './organization.queries.ts';

/** That of the transaction's organization, for pages of people outside of it; undefined if it was erased. */
export const nameOfOrganization = (trx: Transaction): Promise<string | undefined> =>
  findOrganizationName(trx);
