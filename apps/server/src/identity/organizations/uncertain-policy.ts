import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getUncertainPolicy } from './organization.queries.ts';

/** What becomes of uncertain messages in sends of the transaction's organization that do not say it. */
export const defaultUncertainPolicy = (trx: Transaction): Promise<UncertainPolicy> => getUncertainPolicy(trx);
