import { maxConfirmedItems } from '@reachout/contract/rules/lengths.ts';
import type { ContentChanges } from '@reachout/contract/schedules.ts';
import { isDeepStrictEqual } from 'node:util';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { SentEmail } from '../../email/templates/render-sent.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import type { MailSetup, ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { holdForSend } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput, invalidTransition } from '../../platform/http/api-error.ts';
import { replaceConfirmed } from '../../queue/planned-sends.queries.ts';
import { getSendContent, lockSend, type SendContent } from '../../queue/send.queries.ts';
import { findConfirmation } from '../sends/receipt.queries.ts';
import {
  assertConfirmed,
  changedSinceReview,
  denyShortage,
  proposeSend,
  requireFreeTime,
  sendBlocked,
  type Confirmation,
} from '../sends/start-send.ts';
import { findNextComing, listComing, setScheduleItem, type ComingSend } from './schedule.queries.ts';

type Reader = Parameters<typeof proposeSend>[0] & { organizationId: string };

/** Proposals by the content item that a send keeps; undefined for those that have the item of the email. */
type Proposals = ReadonlyMap<string | undefined, ReviewedTouchpoint>;

const keptItem = ({ is_queued_item, item_id }: ComingSend): string | undefined =>
  is_queued_item ? (item_id ?? undefined) : undefined;

/**
 * Reviews an email as it is now, once for each content item that its coming sends keep.
 * @throws 404; 409 `invalid_transition` if no send is to come; 422 `invalid_input` for too many items
 */
export async function proposeAgain(
  reader: Reader,
  touchpointId: string,
  setup: MailSetup,
): Promise<Proposals> {
  const items = await reader.transaction(async (trx) => {
    const coming = await listComing(trx, touchpointId);
    if (coming.length === 0) throw nothingToCome(await requireTouchpoint(trx, touchpointId));
    return new Set(coming.map(keptItem));
  });
  if (items.size > maxConfirmedItems)
    throw invalidInput('id', `At most ${maxConfirmedItems} content items can be confirmed again at once.`);
  const proposals = new Map<string | undefined, ReviewedTouchpoint>();
  for (const itemId of items)
    proposals.set(itemId, await proposeSend(reader, touchpointId, 'campaign', setup, itemId));
  return proposals;
}

const nothingToCome = ({ status }: { status: string }) => invalidTransition(status, 'scheduled');

/**
 * Confirms an email again in place: its coming sends get the content and audience that were reviewed, and keep their times. Those
 * that have started keep what was confirmed.
 * @returns how many sends were changed
 * @throws like `startSend`
 */
export async function confirmAgain(
  trx: Transaction,
  proposals: Proposals,
  {
    expectedContentHash,
    ...confirmation
  }: Omit<Confirmation, 'uncertainPolicy'> & { expectedContentHash: string | undefined },
): Promise<number> {
  const [{ touchpoint }] = [...proposals.values()] as [ReviewedTouchpoint];
  const locked = new Set<string>();
  for (const { id } of await listComing(trx, touchpoint.id)) {
    await lockSend(trx, id);
    locked.add(id);
  }
  await holdForSend(trx, touchpoint.id);
  const coming = await listComing(trx, touchpoint.id);
  if (coming.length === 0) throw nothingToCome(await requireTouchpoint(trx, touchpoint.id));
  for (const { isCurrent } of proposals.values()) if (!(await isCurrent(trx))) throw changedSinceReview();
  const isOther = ({ message }: ReviewedTouchpoint) =>
    message !== undefined && message.content.content_hash !== expectedContentHash;
  if (expectedContentHash !== undefined && [...proposals.values()].every(isOther)) throw changedSinceReview();
  for (const send of coming) {
    const proposal = proposals.get(keptItem(send));
    // Another occurrence or item was planned meanwhile.
    if (proposal === undefined || !locked.has(send.id)) throw changedSinceReview();
    const { message, recipients, content } = assertConfirmed(proposal, confirmation);
    const { itemId: item_id } = message;
    if (item_id !== send.item_id) {
      const { occurrence_at } = await lockSend(trx, send.id);
      if (occurrence_at !== null)
        await requireFreeTime(trx, { touchpoint_id: touchpoint.id, item_id }, occurrence_at, send.id);
      await setScheduleItem(trx, send.schedule_id, item_id);
    }
    await replaceConfirmed(
      trx,
      send.id,
      {
        item_id,
        topic_id: message.topicId,
        recipients_confirmed_count: recipients,
        user_created: confirmation.userId,
      },
      content,
    );
  }
  await denyShortage(
    trx,
    {
      organizationId: touchpoint.organization_id,
      brandId: touchpoint.brand_id,
      userId: confirmation.userId,
    },
    confirmation.policies,
  );
  return coming.length;
}

/**
 * Compares an email as it is now with what its next send would send.
 * @returns null if no send is to come
 * @throws 404; 409 `send_blocked` if it cannot be sent as it is now
 */
export async function compareWithConfirmed(
  reader: Reader,
  touchpointId: string,
  setup: MailSetup,
): Promise<ContentChanges | null> {
  const found = await reader.transaction(async (trx) => {
    await requireTouchpoint(trx, touchpointId);
    const next = await findNextComing(trx, touchpointId);
    return (
      next && {
        next,
        stored: await getSendContent(trx, next.id),
        ...(await findConfirmation(trx, next.id)),
      }
    );
  });
  if (found === undefined) return null;
  const { next, stored, recipients_confirmed } = found;
  const proposal = await proposeSend(reader, touchpointId, 'campaign', setup, keptItem(next));
  const { message, review } = proposal;
  if (message === undefined) throw sendBlocked(review);
  const changes = listChanges(
    stored,
    { content: message.content, audience: message.audience, audienceName: review.audience?.name ?? '' },
    { confirmed: next.item_id, current: message.itemId },
  );
  const isSame = stored.content.content_hash === message.content.content_hash;
  return {
    content_hash: message.content.content_hash,
    confirmed_at: stored.confirmedAt,
    recipients_confirmed,
    sends: next.count,
    changes,
    message: isSame
      ? null
      : { confirmed: await render(stored.content, reader), current: await render(message.content, reader) },
  };
}

type Change = ContentChanges['changes'][number];

function listChanges(
  before: Pick<SendContent, 'content' | 'audience' | 'audienceName'>,
  after: Pick<SendContent, 'content' | 'audience' | 'audienceName'>,
  item: Pick<Change, 'confirmed' | 'current'>,
): Change[] {
  const senderOf = ({ from_name, from_email }: EmailSnapshot) => `${from_name} <${from_email}>`.trim();
  const [old, now] = [before.content, after.content];
  const changes: Change[] = [
    { field: 'subject', confirmed: old.subject, current: now.subject },
    { field: 'preheader', confirmed: old.preheader, current: now.preheader },
    { field: 'sender', confirmed: senderOf(old), current: senderOf(now) },
    { field: 'reply_to', confirmed: old.reply_to, current: now.reply_to },
    { field: 'audience', confirmed: before.audienceName, current: after.audienceName },
    { field: 'item', ...item },
  ];
  const changed = changes.filter(({ confirmed, current }) => confirmed !== current);
  const note = (field: Change['field']) => changed.push({ field, confirmed: null, current: null });
  const topicOf = (audience: typeof before.audience) => audience?.topicId ?? null;
  const rule = { ...before.audience, topicId: topicOf(after.audience) };
  // Through JSON, as it is stored.
  if (!isDeepStrictEqual(rule, JSON.parse(JSON.stringify(after.audience)))) note('audience_rule');
  if (topicOf(before.audience) !== topicOf(after.audience)) note('topic');
  if (old.html !== now.html || old.text !== now.text) note('body');
  if (!isDeepStrictEqual(old.context, JSON.parse(JSON.stringify(now.context)))) note('values');
  return changed;
}

/** Without a recipient, so that it contains no personal data. @returns empty if it cannot be rendered so */
async function render(
  snapshot: EmailSnapshot,
  { organizationId, userId }: Pick<Reader, 'organizationId' | 'userId'>,
): Promise<Pick<SentEmail, 'html' | 'text'>> {
  try {
    const task = { kind: 'sent', snapshot, contact: {} } as const;
    const { html, text } = await runTemplateTask<SentEmail>(task, organizationId, userId);
    return { html, text };
  } catch (error) {
    if (error instanceof TemplateTaskError) return { html: '', text: '' };
    throw error;
  }
}
