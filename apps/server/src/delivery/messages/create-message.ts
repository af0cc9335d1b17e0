import { parseAddress } from '../../email/addresses/address.ts';
import type { RelayRules } from '../../email/transports/relay-rules.ts';
import { findExceededLimit } from '../../outreach/channels/daily-limit.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { insertMessage, lockTriggeredSend } from '../queue/message.queries.ts';

/** Of one email. More means that the mail server takes none, or far fewer than are asked for. */
const maxWaiting = 10_000;

export interface MessageRequest {
  touchpointId: string;
  to: string;
  /** What the template reads as `contact`; what it does not read is not stored. */
  data: Record<string, unknown>;
  relay: RelayRules | undefined;
}

/**
 * Accepts one message of an active email. It leaves as soon as a worker takes it, unless the address is suppressed by then.
 * @returns the id of the message
 * @throws 404; 409 `touchpoint_not_active`; 422; 429 `daily_limit_reached`, `too_many_messages`
 */
export async function createMessage(
  trx: Transaction,
  { touchpointId, to, data, relay }: MessageRequest,
): Promise<string> {
  const address = parseRecipient('to', to);
  const { organization_id: organizationId } = await requireTouchpoint(trx, touchpointId);
  const send = await lockTriggeredSend(trx, touchpointId);
  if (send === undefined) throw apiError('touchpoint_not_active');
  if (send.waiting >= maxWaiting) throw apiError('too_many_messages', { limit: maxWaiting });
  const id = newId();
  await insertMessage(trx, {
    id,
    organizationId,
    sendId: send.id,
    contactId: address,
    address,
    variables: pickFields(data, send.contact_fields),
  });
  const exceeded = await findExceededLimit(trx, organizationId, relay);
  if (exceeded !== undefined)
    throw apiError('daily_limit_reached', { limit: exceeded.limit, used: exceeded.used - 1 });
  await notifyWorkers(trx);
  return id;
}

/** @param path  of the input @returns as it is stored @throws 422 for an address that no message can be sent to */
export function parseRecipient(path: string, input: string): string {
  const parsed = parseAddress(input);
  if ('error' in parsed) throw invalidInput(path, 'No message can be sent to this address.');
  return parsed.address;
}

/** @param names  null: all */
export const pickFields = (
  data: Record<string, unknown>,
  names: readonly string[] | null,
): Record<string, unknown> =>
  names === null ? data : Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)));
