import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import { touchpointStatusAfter, type liveSendKinds } from '@reachout/contract/states/send.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { defaultUncertainPolicy } from '../../identity/organizations/uncertain-policy.ts';
import type { Sender } from '../../ledger/allowance.ts';
import { reserve } from '../../ledger/allowances.ts';
import type { MailSetup, ReviewedTouchpoint, ReviewOptions } from '../../outreach/channels/channel.ts';
import { channels } from '../../outreach/channels/channels.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import {
  holdForSend,
  lockForSend,
  setTouchpointStatus,
} from '../../outreach/touchpoints/touchpoint-status.ts';
import { apiError, invalidInput, invalidTransition } from '../../platform/http/api-error.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { undoMs } from './send.ts';
import { listPlannedTimes, listSeriesStatuses } from '../../queue/planned-sends.queries.ts';
import { insertSend, type NewSendContent } from '../../queue/insert-send.queries.ts';

/**
 * Runs the review of the channel for a send of this kind. The review takes long, so it holds no locks.
 * @param itemId  replaces the content item that the touchpoint has
 * @throws 404; 409 `invalid_transition` for a touchpoint whose channel has no sends
 */
export async function proposeSend(
  { userId, transaction }: Pick<ReviewOptions, 'userId' | 'transaction'>,
  touchpointId: string,
  kind: ReviewOptions['kind'],
  setup: MailSetup,
  itemId?: string,
): Promise<ReviewedTouchpoint> {
  const { type, status } = await transaction((trx) => requireTouchpoint(trx, touchpointId));
  const { review } = channels[type];
  if (review === null) throw invalidTransition(status, 'scheduled');
  return await review(touchpointId, { userId, transaction, ...setup, itemId, kind, counts: 'recipients' });
}

/** @throws 409 `changed_elsewhere` unless the touchpoint is as the member saw it */
export function requireSeen(
  proposal: ReviewedTouchpoint | undefined,
  expectedVersion: string | undefined,
): void {
  if (expectedVersion !== undefined && proposal?.review.version !== expectedVersion)
    throw changedSinceReview();
}

export const changedSinceReview = () =>
  apiError(
    'changed_elsewhere',
    undefined,
    'The email, its content items, audience or brand changed after this review. Review it again, and confirm what you see.',
  );

/** What a member confirmed. */
export interface Confirmation {
  userId: string;
  /** Undefined for that of the organization. */
  uncertainPolicy: UncertainPolicy | undefined;
  /** Recipient count that the user saw and confirmed. */
  expectedRecipients: number | undefined;
  /** Audience that the user saw and confirmed. */
  expectedFilterId: string | undefined;
  /** Whether the user has confirmed that sample content is sent. */
  sendsSampleContent: boolean;
  policies: SenderPolicies;
}

export interface StartSend extends Confirmation {
  kind: (typeof liveSendKinds)[number];
  /** In a minute, at once, or at the first occurrence of a schedule, which starts before it in the zones of contacts. */
  start: 'soon' | 'immediately' | { scheduleId: string; at: string; startAt: string; inSeries: boolean };
  /** Whether the caller has found in this transaction that everything reviewed is unchanged. */
  isKnownCurrent?: boolean;
}

/**
 * Confirms a send. Its content, audience rule and time are fixed now; the audience snapshot is taken when it starts, a
 * minute later unless `start` says otherwise. A triggered send accepts single messages from now on.
 * @returns the id of the send
 * @throws 404; 409 `invalid_transition`, `campaign_archived`, `changed_elsewhere`, `send_blocked`, `audience_changed`
 */
export async function startSend(
  trx: Transaction,
  proposal: ReviewedTouchpoint,
  options: StartSend,
): Promise<string> {
  const { touchpoint } = proposal;
  const isTriggered = options.kind === 'triggered';
  const { start } = options;
  const inSeries = typeof start === 'object' && start.inSeries;
  // A series that goes on takes further sends.
  if (inSeries && (await listSeriesStatuses(trx, touchpoint.id)).length > 0)
    await holdForSend(trx, touchpoint.id);
  else await lockForSend(trx, touchpoint.id, isTriggered || inSeries ? 'active' : 'scheduled');
  if (!options.isKnownCurrent && !(await proposal.isCurrent(trx))) throw changedSinceReview();
  const { message, recipients, content } = assertConfirmed(proposal, options);
  if (typeof start === 'object')
    await requireFreeTime(trx, { touchpoint_id: touchpoint.id, item_id: message.itemId }, start.at);

  const id = newId();
  const status = isTriggered ? 'sending' : 'queued';
  await insertSend(
    trx,
    {
      id,
      organization_id: touchpoint.organization_id,
      touchpoint_id: touchpoint.id,
      brand_id: touchpoint.brand_id,
      item_id: message.itemId,
      topic_id: message.topicId,
      kind: options.kind,
      status,
      ...(typeof start === 'object'
        ? {
            startAt: start.startAt,
            schedule_id: start.scheduleId,
            occurrence_at: start.at,
            in_series: inSeries,
          }
        : { startAt: start === 'immediately' || isTriggered ? 0 : undoMs }),
      uncertain_policy: options.uncertainPolicy ?? (await defaultUncertainPolicy(trx)),
      recipients_confirmed_count: recipients,
      user_created: options.userId,
    },
    isTriggered ? { ...content, audience: null } : content,
  );
  await setTouchpointStatus(
    trx,
    touchpoint.id,
    inSeries ? 'active' : touchpointStatusAfter({ kind: options.kind, in_series: false }, status, status)!,
  );
  await denyShortage(
    trx,
    { organizationId: touchpoint.organization_id, brandId: touchpoint.brand_id, userId: options.userId },
    options.policies,
  );
  await notifyWorkers(trx);
  return id;
}

/** @param except  a send that is moved @throws 422 `invalid_input` if another send of the touchpoint has this planned time */
export async function requireFreeTime(
  trx: Transaction,
  of: { touchpoint_id: string; item_id: string | null },
  at: string,
  except?: string,
): Promise<void> {
  const taken = await listPlannedTimes(trx, of, except);
  if (taken.has(new Date(at).toISOString()))
    throw invalidInput('start_date', 'This email is planned for this time already.');
}

/**
 * Checks that a member has confirmed what was reviewed.
 * @throws 409 `send_blocked`, `changed_elsewhere`, `audience_changed`
 */
export function assertConfirmed(
  { review, message }: ReviewedTouchpoint,
  { sendsSampleContent, expectedFilterId, expectedRecipients }: Omit<Confirmation, 'uncertainPolicy'>,
): { message: ReviewedMessage; recipients: number; content: NewSendContent } {
  const blocking = sendsSampleContent ? ['block'] : ['block', 'confirm'];
  if (message === undefined || review.checks.some(({ level }) => blocking.includes(level)))
    throw sendBlocked(review, blocking);
  if (expectedFilterId !== undefined && expectedFilterId !== review.audience?.id) throw changedSinceReview();
  const recipients = review.audience_breakdown?.will_receive ?? 0;
  if (expectedRecipients !== undefined && expectedRecipients !== recipients)
    throw apiError('audience_changed', { expected: expectedRecipients, actual: recipients });
  const audience = message.audience && { rule: message.audience, name: review.audience?.name ?? '' };
  return { message, recipients, content: { content: message.content, audience } };
}
type ReviewedMessage = NonNullable<ReviewedTouchpoint['message']>;

/** Reserves what the send needs, after it was stored. @throws 409 `send_blocked` */
export async function denyShortage(
  trx: Transaction,
  sender: Sender & { brandId: string },
  policies: SenderPolicies,
): Promise<void> {
  const policy = await policies.of(trx, { ...sender, campaignId: undefined });
  const shortage = await reserve(trx, sender, policy);
  if (shortage !== undefined) {
    const { check, error } = shortage;
    throw apiError('send_blocked', { checks: [{ check, message: describeSendError(error) }] });
  }
}

/** @returns the error with the checks at these levels */
export const sendBlocked = ({ checks }: Review, levels: readonly string[] = ['block']) =>
  apiError('send_blocked', {
    checks: checks
      .filter(({ level }) => levels.includes(level))
      .map(({ check, message }) => ({ check, message })),
  });
