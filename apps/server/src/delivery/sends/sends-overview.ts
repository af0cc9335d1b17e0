import type { sendAttention } from '@reachout/contract/dashboard.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { pickOpenSends, pickSendsToAttend, type SendsQuery } from './sends-overview.queries.ts';
import { toSend, type CountedSend } from './send.ts';
import { listRecentSends, listSendsById } from './send-list.queries.ts';

interface Named<T> {
  items: T[];
  /** Total number, beyond the limit too. */
  count: number;
}

/** Lists sends that are waiting to start, running or paused by a user; paused ones come last. */
export async function listOpenSends(
  trx: Transaction,
  query: SendsQuery,
  limit: number,
): Promise<Named<CountedSend>> {
  const { picked, count } = await pickOpenSends(trx, query, limit);
  return { items: (await listSendsById(trx, picked)).map(toSend), count };
}

/** Lists sends that need a decision or a fix by a user, most urgent first. */
export async function listSendsToAttend(
  trx: Transaction,
  query: SendsQuery,
  limit: number,
): Promise<Named<{ kind: (typeof sendAttention)[number]; send: CountedSend }>> {
  const { picked, count } = await pickSendsToAttend(trx, query, limit);
  const rows = await listSendsById(
    trx,
    picked.map(({ id }) => id),
  );
  const kinds = new Map(picked.map(({ id, kind }) => [id, kind]));
  return { items: rows.map((row) => ({ kind: kinds.get(row.id)!, send: toSend(row) })), count };
}

/** Lists the five newest sends, without tests. @param clientId  only sends of this client */
export const recentSends = async (trx: Transaction, clientId: string | undefined): Promise<CountedSend[]> =>
  (await listRecentSends(trx, clientId)).map(toSend);
