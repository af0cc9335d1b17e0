import { parseAddress } from '../addresses/address.ts';
import { findEnhancedCode } from '../smtp/smtp-reply.ts';
import type { Rejection, SmtpStage } from '../rejections/rejection.ts';
import type { Fields } from './header-fields.ts';

/** What a report says of a message that was not delivered. */
export type Failure = Pick<Rejection, 'code' | 'enhanced' | 'text' | 'stage'>;

/** As much as `findMentions` reads. */
const maxReasonLength = 1_000;

/**
 * Finds the reply that a report is about. The most exact code comes first: Exim says `Status: 5.0.0` for everything, and leaves out
 * Diagnostic-Code where no server has replied; Postfix has its own words for these, and says `failed` with 4.x.x when it gives up.
 * @param fields  of a recipient (RFC 3464, section 2.3)
 * @param text  what the report tells people
 */
export function readFailure(fields: Fields, text: string): Failure {
  const [, said = ''] = /^[\w-]+ *;(.*)$/s.exec(fields.get('diagnostic-code') ?? '') ?? [];
  const status = /^[45]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0];
  const exact = status === undefined || status.endsWith('.0.0') ? null : status;
  const reply = findReply(said.trim()) ?? (exact === null ? findReply(text) : undefined);
  const reason = reply?.text ?? cut(said.trim() === '' ? lastParagraph(text) : said);
  const code = reply?.code ?? codeOfClass(status);
  const enhanced = reply?.enhanced ?? exact ?? (routingFault.test(reason) && code === 550 ? '5.4.4' : null);
  return { code, enhanced, text: reason, stage: findStage(`${said}\n${text}`, enhanced) };
}

/**
 * The address that could not be reached (RFC 3464, section 2.3.2), which is another one than the message was sent to where that is an
 * alias, or passes its mail on.
 * @returns its key (`parseAddress`); undefined if the report names none
 */
export function readFailedAddress(fields: Fields): string | undefined {
  const given = fields.get('final-recipient') ?? fields.get('original-recipient') ?? '';
  const parsed = parseAddress(/^(?:rfc822|utf-8) *; *<?([^<>]*)>?$/i.exec(given)?.[1] ?? '');
  return 'key' in parsed ? parsed.key : undefined;
}

/** @returns the failure in the words of a notice; undefined if it has no code of a reply */
export function findNotice(text: string): Failure | undefined {
  const reply = findReply(text) ?? findExchangeCode(text);
  return reply && { ...reply, stage: findStage(text, reply.enhanced) };
}

/** Whether a notice says that the server goes on trying. */
export const isDelayNotice = (text: string): boolean =>
  /\bdelay(?:ed)?\b|not yet (?:been )?delivered|will (?:continue|keep|be re-?tried)|still (?:being )?(?:trying|tried|retried)/i.test(
    text,
  ) && !/\bpermanent|giv(?:en|ing) up|not going to try|could not be delivered|fatal error/i.test(text);

/** Exim, where a domain has no mail server; Postfix says 5.4.4. */
const routingFault = /\bunrout(?:e?able)\b|\bMX records point to non-existent|\blowest numbered MX/i;

/** 0: the report has none. */
const codeOfClass = (status: string | undefined): number =>
  status === undefined ? 0 : status.startsWith('4') ? 450 : 550;

const blankLine = /\n[ \t]*\r?\n/;
const lastParagraph = (text: string): string => text.trim().split(blankLine).at(-1) ?? '';

const cut = (text: string): string => text.trim().slice(0, maxReasonLength);

/** Where a three-digit code is a reply, and not a number in a sentence. */
const replyPlaces = [
  /(?<![\w.])([45])(\d\d)[\s-]{1,12}[#([]?\1\.\d{1,3}\.\d{1,3}(?!\.?\d)/,
  /^[ \t>"'(<]{0,20}([45])(\d\d)[ -](?=\S)/m,
  /\b(?:said|says|error|response|responded|returned|reply|replied|answer|answered)\b[^\n]{0,80}?[:'"(] ?([45])(\d\d)[\s-]/i,
];

function findReply(text: string): Omit<Failure, 'stage'> | undefined {
  for (const place of replyPlaces) {
    const match = place.exec(text);
    if (match === null) continue;
    const code = `${match[1]}${match[2]}`;
    const [paragraph = ''] = text.slice(match.index + match[0].indexOf(code)).split(blankLine, 1);
    // Lines of one reply each have the code; a field that was unfolded has them in one line.
    const reason = paragraph.replaceAll(new RegExp(String.raw`(^|\s)${code}[\s-]+(?=\S)`, 'g'), '$1');
    return { code: Number(code), enhanced: findEnhancedCode(Number(code), reason), text: cut(reason) };
  }
  return undefined;
}

/** `<mail.example.org #5.1.1>`, after a sentence that says the same. */
function findExchangeCode(text: string): Omit<Failure, 'stage'> | undefined {
  const match = /#([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(text);
  if (match === null) return undefined;
  const enhanced = match[1]!;
  return {
    code: codeOfClass(enhanced),
    enhanced: enhanced.endsWith('.0.0') ? null : enhanced,
    text: cut(lastParagraph(text.slice(0, match.index))),
  };
}

const inReply = String.raw`(?:(?:in (?:reply|response) to|after|on) (?:the )?(?:pipelined )?|^>>> ?)`;
const stages: readonly [SmtpStage, RegExp][] = [
  ['message', new RegExp(String.raw`${inReply}end[ -]of[ -](?:the )?data|after I sent the message`, 'im')],
  ['rcpt', new RegExp(String.raw`${inReply}RCPT\b|does not like recipient`, 'im')],
  ['mail', new RegExp(String.raw`${inReply}MAIL FROM\b|does not like sender`, 'im')],
  ['data', new RegExp(String.raw`${inReply}DATA\b`, 'im')],
];

/** Where the dialog was. If nothing says it: what speaks of addresses and mailboxes is a reply to RCPT, most else is to the message. */
const findStage = (text: string, enhanced: string | null): SmtpStage =>
  stages.find(([, words]) => words.test(text))?.[0] ??
  (/^[45]\.[12]\./.test(enhanced ?? '') ? 'rcpt' : 'message');
