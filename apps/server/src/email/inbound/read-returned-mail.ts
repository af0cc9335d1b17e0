import { setTimeout as delay } from 'node:timers/promises';
import type { ParsedMail } from 'mailparser';
import { readFields, type Fields } from './header-fields.ts';
import { findNotice, isDelayNotice, readFailedAddress, readFailure } from './read-failure.ts';
import { complaintsMailbox, type InboundMail, type NamedTokens, type ReturnedMail } from './returned-mail.ts';

/** Of one message; the parser works in small steps. */
const timeLimitMs = 5_000;
/** What people read of a report: reasons are at its start. */
const maxTextLength = 8_000;
const maxNamedTokens = 10;

/** Reports as parts of their own, instead of as text; the returned message unread. */
const parserOptions = {
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/**
 * Finds out what a message says that came back: a report of a mail server (RFC 3464) or of a mailbox provider (RFC 5965), or a notice
 * in words. Anybody may have written it. Never rejects.
 */
export async function readReturnedMail({ mailbox, raw }: InboundMail): Promise<ReturnedMail> {
  if (mailbox.startsWith('u+')) return { kind: 'unsubscribe' };
  try {
    return await read(mailbox, raw);
  } catch {
    return note('unreadable');
  }
}

async function read(mailbox: string, raw: Buffer): Promise<ReturnedMail> {
  const mail = await parse(raw);
  if (mail === undefined) return note('unreadable');
  const feedback = findPart(mail, /^message\/feedback-report$/);
  const returned = findPart(mail, /^(?:message|text)\/(?:rfc822|global)(?:-headers)?$/) ?? '';
  const [head = ''] = returned.split(/\r?\n\r?\n/, 1);
  if (feedback !== undefined) return readFeedback(readFields(feedback), `${feedback}\n${head}`);
  const status = findPart(mail, /^message\/(?:global-)?delivery-status$/);
  // Microsoft sends some complaints without a report.
  const isOfMicrosoft = mailbox === complaintsMailbox && /^X-HmXmrOriginalRecipient:/im.test(head);
  if (status === undefined && isOfMicrosoft)
    return { kind: 'complaint', feedbackType: 'abuse', named: findTokens(head) };
  const text = readableText(mail);
  return (
    (status === undefined ? undefined : readReport(status, text, findTokens(head))) ??
    readNotice(mail, text, raw) ??
    note(isAutoReply(mail) ? 'auto_reply' : 'unreadable')
  );
}

const note = (of: Extract<ReturnedMail, { kind: 'note' }>['note']): ReturnedMail => ({
  kind: 'note',
  note: of,
});

/** @returns undefined if it takes too long */
async function parse(raw: Buffer): Promise<ParsedMail | undefined> {
  // Only the processes that read mail load it.
  const { simpleParser } = await import('mailparser');
  const done = new AbortController();
  try {
    return await Promise.race([
      simpleParser(raw, parserOptions),
      delay(timeLimitMs, undefined, { signal: done.signal }),
    ]);
  } finally {
    done.abort();
  }
}

const findPart = ({ attachments }: ParsedMail, type: RegExp): string | undefined =>
  attachments.find(({ contentType }) => type.test(contentType))?.content.toString('utf8');

/** The part for people, up to the copy of the message. */
function readableText({ text, html }: ParsedMail): string {
  const whole = text?.trim() || (html || '').replaceAll(/<[^<>]*>/g, ' ');
  const [notice = ''] = whole.slice(0, maxTextLength).split(startOfCopy, 1);
  return notice;
}

const startOfCopy =
  /^(?:---.{0,80}?(?:copy of|original|returned|unsent|forwarded|below this line).{0,80}|(?:Return-Path|Received|DKIM-Signature): .*)$/im;

/** RFC 5965, section 3.1; other types are `not-spam`, or are not about unwanted mail. */
function readFeedback(fields: Fields, heads: string): ReturnedMail {
  const feedbackType = fields.get('feedback-type')?.toLowerCase();
  return feedbackType === 'abuse' || feedbackType === 'fraud'
    ? { kind: 'complaint', feedbackType, named: findTokens(heads) }
    : note('not_spam');
}

/**
 * RFC 3464, section 2.3.3: of the recipients, of whom our messages have one, the first who got nothing counts.
 * @returns undefined if it says nothing of a recipient
 */
function readReport(status: string, text: string, named: NamedTokens): ReturnedMail | undefined {
  const recipients = status.split(/\r?\n(?:[ \t]*\r?\n)+/).map((block) => readFields(block));
  const findAction = (action: string) =>
    recipients.find((fields) => fields.get('action')?.toLowerCase().startsWith(action));
  const failed = findAction('failed');
  if (failed !== undefined)
    return { kind: 'failure', ...readFailure(failed, text), failed: readFailedAddress(failed), named };
  if (findAction('delayed') !== undefined) return note('delayed');
  return ['delivered', 'relayed', 'expanded'].some(findAction) ? note('delivered') : undefined;
}

/** Servers without reports: in the name of the mail system, and with an empty envelope sender, so that nobody answers. */
function readNotice(mail: ParsedMail, text: string, raw: Buffer): ReturnedMail | undefined {
  const [from = '', subject = ''] = ['from', 'subject'].map((name) => fieldOf(mail, name));
  const isNotice =
    /^Return-Path: *<>/i.test(raw.toString('latin1', 0, 20)) &&
    (fieldOf(mail, 'x-failed-recipients') !== undefined ||
      /mailer[- ]?daemon|postmaster|mail (?:delivery|administrator)|mdaemon/i.test(from) ||
      /undeliver|non-?deliver|returned mail|failure notice|delivery (?:status|fail|notif|problem)/i.test(
        subject,
      ));
  if (!isNotice) return undefined;
  if (isDelayNotice(`${subject}\n${text}`)) return note('delayed');
  const failure = findNotice(text);
  return (
    failure && { kind: 'failure', ...failure, failed: undefined, named: { return_path: [], unsubscribe: [] } }
  );
}

/** RFC 3834, and what was there before it. */
const isAutoReply = (mail: ParsedMail): boolean =>
  /^auto-/i.test(fieldOf(mail, 'auto-submitted') ?? '') ||
  /^(?:auto_reply|bulk|junk)/i.test(fieldOf(mail, 'precedence') ?? '') ||
  ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress'].some(
    (name) => fieldOf(mail, name) !== undefined,
  );

const fieldOf = ({ headerLines }: ParsedMail, name: string): string | undefined =>
  headerLines.find(({ key }) => key === name)?.line.replace(/^[^:]*:\s*/, '');

/** @param heads  header fields; those of our messages name them in Return-Path and List-Unsubscribe */
function findTokens(heads: string): NamedTokens {
  const unfolded = heads.replaceAll(/\r?\n[ \t]+/g, '');
  const find = (pattern: RegExp) =>
    [...new Set([...unfolded.matchAll(pattern)].map(([, token]) => token!.toLowerCase()))].slice(
      0,
      maxNamedTokens,
    );
  return {
    return_path: find(/(?<![\w.-])b\.([\da-z]{1,11}-[\da-z]{1,6}-[\da-z]{26})@/gi),
    unsubscribe: find(/(?:\/u\/|[:<]u(?:\+|%2B))([\da-z]{1,11}-[\da-z]{1,6}-[\da-z]{26})(?![\da-z])/gi),
  };
}
