import type { BounceClass } from '@reachout/contract/statuses.ts';
import { classifyRejection } from '../rejections/classify-rejection.ts';
import { cleanReplyText } from '../smtp/smtp-reply.ts';
import { note, readToken, type ProviderEvent, type ProviderEvents } from './provider-event.ts';
import { readFailure } from './read-failure.ts';

/** The parts that are read; anything may be missing. */
interface SesEvent {
  eventType?: unknown;
  mail?: { messageId?: unknown; tags?: { reachout?: unknown[] } };
  bounce?: {
    bounceType?: unknown;
    bounceSubType?: unknown;
    bouncedRecipients?: { emailAddress?: unknown; diagnosticCode?: unknown; status?: unknown }[];
  };
  complaint?: { complaintFeedbackType?: unknown };
  reject?: { reason?: unknown };
  failure?: { errorMessage?: unknown };
}

/** An event of a configuration set: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export function readSesEvent(text: string): ProviderEvents {
  try {
    const event = (JSON.parse(text) ?? {}) as SesEvent;
    const token = readToken(event.mail?.tags?.reachout?.[0]);
    return token === undefined ? note : { events: [toEvent(token, event)] };
  } catch {
    return { rejected: 'The notification is no event of SES.' };
  }
}

function toEvent(token: string, event: SesEvent): ProviderEvent {
  const failure = (of: BounceClass, words: unknown): ProviderEvent => ({
    token,
    kind: 'failure',
    class: of,
    code: 550,
    enhanced: null,
    text: cleanReplyText(textOf(words)),
  });
  switch (event.eventType) {
    case 'Send':
    case 'Delivery':
      return { token, kind: 'accepted', reference: textOf(event.mail?.messageId).slice(0, 100) };
    case 'Bounce':
      return toBounce(token, event.bounce ?? {});
    case 'Complaint':
      return event.complaint?.complaintFeedbackType === 'not-spam'
        ? { kind: 'note' }
        : { token, kind: 'complaint' };
    case 'Reject':
      return failure('content', event.reject?.reason);
    case 'Rendering Failure':
      return failure('protocol', event.failure?.errorMessage);
    default:
      return { kind: 'note' };
  }
}

/** Kinds of bounces that say more than the reply of a mail server, or have none. */
const bySubType: ReadonlyMap<string, BounceClass> = new Map([
  ['NoEmail', 'address_hard'],
  ['Suppressed', 'address_likely'],
  ['OnAccountSuppressionList', 'address_likely'],
  ['MailboxFull', 'mailbox_full'],
  ['MessageTooLarge', 'too_big'],
  ['ContentRejected', 'content'],
  ['AttachmentRejected', 'content'],
]);
/** Without a reply that can be read. SES tries for hours before it gives up. */
const byType: ReadonlyMap<string, BounceClass> = new Map([
  ['Permanent', 'address_likely'],
  ['Transient', 'expired'],
]);

function toBounce(token: string, bounce: NonNullable<SesEvent['bounce']>): ProviderEvent {
  const [{ emailAddress, diagnosticCode, status } = {}] = bounce.bouncedRecipients ?? [];
  const fields = new Map([
    ['diagnostic-code', textOf(diagnosticCode)],
    ['status', textOf(status)],
  ]);
  const { code, enhanced, text, stage } = readFailure(fields, '');
  const envelope = { sender: '', recipient: textOf(emailAddress) };
  const said = classifyRejection({ code, enhanced, text, stage, envelope }).class;
  const type = textOf(bounce.bounceType);
  const known = bySubType.get(textOf(bounce.bounceSubType));
  const read = code === 0 || said === 'unknown' ? (byType.get(type) ?? 'unknown') : said;
  return {
    token,
    kind: 'failure',
    class: known ?? (read === 'transient' ? 'expired' : read),
    code: code === 0 ? (type === 'Transient' ? 450 : 550) : code,
    enhanced,
    text: cleanReplyText(text === '' ? `${type} ${textOf(bounce.bounceSubType)}` : text),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2_000) : '');
