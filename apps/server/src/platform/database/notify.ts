import { execute, type Transaction } from './database.ts';

/** Wakes the workers once this transaction has committed; otherwise they poll within a second. */
export const notifyWorkers = (trx: Transaction) => execute(trx)`select pg_notify('reachout_work', '')`;
