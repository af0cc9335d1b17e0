import type { Message } from '@reachout/contract/messages.ts';
import type { DeliveryState } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { getMessage } from '../../queue/message.queries.ts';
import { readDeliveries } from '../sends/recipient-list.queries.ts';

/** A single message with the state of its delivery. @throws 404 */
export async function readMessage(trx: Transaction, id: string): Promise<Message> {
  const { seq, ...message } = await getMessage(trx, id);
  const [delivery] = await readDeliveries(trx, message.send_id, [seq]);
  if (delivery === undefined) throw notFound();
  const { address, state, attempts, reply, error_content, error, next_attempt_at, at } = delivery;
  return {
    ...message,
    to: address ?? '',
    // `readDeliveries` returns delivery states only, never `excluded`.
    state: state as DeliveryState,
    attempts,
    reply,
    error_content,
    error,
    next_attempt_at,
    at,
  };
}
