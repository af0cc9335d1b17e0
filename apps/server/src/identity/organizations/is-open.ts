import type { Transaction } from '../../platform/database/database.ts';
import { isOrganizationOpen } from './organization.queries.ts';

/** Whether strangers may ask something of the transaction's organization: it is neither deleted nor suspended. */
export const isOpen = (trx: Transaction): Promise<boolean> => isOrganizationOpen(trx);
