import { suppressErased, type AddressHashes } from '../../contacts/consent/erased-addresses.ts';
import { domainOfAddress, parseAddress } from '../../email/addresses/address.ts';
import { wantRecipientGroups } from '../../email/recipient-groups/recipient-domain-jobs.ts';
import type { SenderPolicies, SenderScope } from '../../email/transports/sender-policy.ts';
import { refusal } from '../../ledger/allowance.ts';
import { reserve } from '../../ledger/allowances.ts';
import { findDailyUse, shortageOf } from '../../ledger/daily-limit.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { TouchpointRow } from '../../outreach/touchpoints/touchpoint.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { RequestLog } from '../../platform/http/orpc-problems.ts';
import { newId } from '../../platform/ids.ts';
import { findTriggeredSend, insertMessage, type OpenTriggeredSend } from '../../queue/message.queries.ts';

/** Per email. A longer queue means that the mail server accepts none, or far fewer than are requested. */
export const maxWaiting = 10_000;

export interface MessageRequest {
  touchpointId: string;
  to: string;
  /** The template reads these fields as `contact`; fields that it does not read are not stored. */
  data: Record<string, unknown>;
  /** Whether its contact is marked as unsubscribed (`findMark`). */
  isUnsubscribed: boolean;
  policies: SenderPolicies;
  log: RequestLog;
  secrets: AddressHashes;
}

/**
 * Accepts one message of an active email. A worker sends it as soon as possible, unless the address is suppressed by then.
 * @throws 404; 409 `touchpoint_not_active`; 422; 429 `daily_limit_reached`, `too_many_messages`
 */
export async function createMessage(
  trx: Transaction,
  { touchpointId, to, data, isUnsubscribed, policies, log, secrets }: MessageRequest,
): Promise<{ id: string; touchpoint: TouchpointRow }> {
  const address = parseRecipient('to', to);
  const touchpoint = await requireTouchpoint(trx, touchpointId);
  const organizationId = touchpoint.organization_id;
  const send = checkOpen(await findTriggeredSend(trx, touchpointId, 'lock'));
  const brandsInScope = () => Promise.resolve([touchpoint.brand_id]);
  await suppressErased(trx, secrets, { organizationId, brandsInScope }, () => [address.toLowerCase()]);
  const id = newId();
  await insertMessage(trx, {
    id,
    organizationId,
    sendId: send.id,
    contactId: address,
    address,
    variables: pickFields(data, send.contact_fields),
    isUnsubscribed,
  });
  const policy = await policies.of(trx, scopeOf(touchpoint));
  const shortage = await reserve(trx, { organizationId, userId: send.user_created }, policy);
  if (shortage !== undefined) throw refusal(shortage, 1);
  // Later messages to this domain get the right lane. The built-in mailbox needs no lookup.
  if (policy.transport !== 'mailbox') await wantRecipientGroups({ db: trx, log }, [domainOfAddress(address)]);
  await notifyWorkers(trx);
  return { id, touchpoint };
}

/**
 * Refuses what `createMessage` would refuse now, before the work that comes first. Locks nothing.
 * @throws as `createMessage`
 */
export async function checkMessage(
  trx: Transaction,
  { touchpointId, to, policies }: Pick<MessageRequest, 'touchpointId' | 'to' | 'policies'>,
): Promise<void> {
  parseRecipient('to', to);
  const touchpoint = await requireTouchpoint(trx, touchpointId);
  const { user_created: userId } = checkOpen(await findTriggeredSend(trx, touchpointId));
  const scope = scopeOf(touchpoint);
  const use = await findDailyUse(trx, { ...scope, userId }, await policies.of(trx, scope));
  const shortage = use && shortageOf(use, 1);
  if (shortage !== undefined) throw refusal(shortage, 1);
}

const scopeOf = (of: Pick<TouchpointRow, 'organization_id' | 'brand_id' | 'campaign_id'>): SenderScope => ({
  organizationId: of.organization_id,
  brandId: of.brand_id,
  campaignId: of.campaign_id,
});

function checkOpen(send: OpenTriggeredSend | undefined): OpenTriggeredSend {
  if (send === undefined) throw apiError('touchpoint_not_active');
  if (send.waiting >= maxWaiting) throw apiError('too_many_messages', { limit: maxWaiting });
  return send;
}

/** @param path  input field, for the error @returns the address as it is stored @throws 422 for an invalid address */
export function parseRecipient(path: string, input: string): string {
  const parsed = parseAddress(input);
  if ('error' in parsed) throw invalidInput(path, 'No message can be sent to this address.');
  return parsed.address;
}

/** @param names  null: all fields */
export const pickFields = (
  data: Record<string, unknown>,
  names: readonly string[] | null,
): Record<string, unknown> =>
  names === null ? data : Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)));
