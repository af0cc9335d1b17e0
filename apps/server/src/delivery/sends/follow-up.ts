import { sendCan } from '@reachout/contract/states/send.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { refusal } from '../../ledger/allowance.ts';
import { reserve } from '../../ledger/allowances.ts';
import { holdForSend } from '../../outreach/touchpoints/touchpoint-status.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { insertFollowUp, isFollowedUp } from '../../queue/insert-send.queries.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { undoMs } from './send.ts';

/**
 * Sends the same content again, once, but only to contacts whose delivery failed, as new messages in a separate send.
 * Contacts that are deleted, unsubscribed or suppressed by then, or have another address, get none.
 * @returns the id of the send
 * @throws 404; 409 `nothing_to_follow_up`, `invalid_transition`, `campaign_archived`; 429 `daily_limit_reached`
 */
export async function startFollowUp(
  trx: Transaction,
  parentId: string,
  { userId, immediately, policies }: { userId: string; immediately: boolean; policies: SenderPolicies },
): Promise<string> {
  const parent = await lockSend(trx, parentId);
  await holdForSend(trx, parent.touchpoint_id);
  const id = newId();
  const delayMs = immediately ? 0 : undoMs;
  const recipients =
    sendCan.followUp(parent) && !(await isFollowedUp(trx, parentId))
      ? await insertFollowUp(trx, { id, parent_send_id: parentId, delayMs, user_created: userId })
      : 0;
  if (recipients === 0) throw apiError('nothing_to_follow_up');
  const organizationId = parent.organization_id;
  const shortage = await reserve(trx, { organizationId, userId }, policies.ofInstallation);
  if (shortage !== undefined) throw refusal(shortage, recipients);
  await notifyWorkers(trx);
  return id;
}
