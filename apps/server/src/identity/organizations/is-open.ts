import type { Transaction } from '../../platform/database/database.ts';
import { isOrganizationWithout } from './organization.queries.ts';

/** Whether strangers may ask something of the transaction's organization: it is active, and not deleted. */
export const isOpen = (trx: Transaction): Promise<boolean> =>
  isOrganizationWithout(trx, ['suspended', 'inactive']);

/** Whether strangers may read what the transaction's organization shares: it is neither inactive nor deleted. */
export const isReadable = (trx: Transaction): Promise<boolean> => isOrganizationWithout(trx, ['inactive']);
