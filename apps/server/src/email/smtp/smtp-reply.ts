import type { BounceClass, SmtpStage, TransportResult } from '../transports/transport.ts';

export interface SmtpReply {
  /** Three digits, 200 to 599. */
  code: number;
  /** Text of all lines without their codes, joined by spaces. */
  text: string;
  /** The same text by line, for replies to EHLO. */
  lines: string[];
}

/** Cleans untrusted text for storage and display: no control or non-ASCII characters, at most 500 characters. */
export function cleanReplyText(text: string): string {
  return text
    .replaceAll(/[^\u0020-\u007e]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, 500);
}

const replyLimit = 65_536;

/** Parses replies from chunks that may be split at any byte (RFC 5321 section 4.2.1). */
export class SmtpReplyParser {
  /** Why parsing has stopped: the server does not speak SMTP, or its reply is endless. */
  problem: string | undefined;
  #pending = '';
  #lines: string[] = [];
  #size = 0;

  /** Whether an incomplete reply is buffered. */
  get isMidReply(): boolean {
    return this.#pending !== '' || this.#lines.length > 0;
  }

  /** @returns the replies that this chunk completes, including those before a problem */
  push(chunk: Buffer): SmtpReply[] {
    // Latin-1 maps each byte to one character; non-ASCII characters are removed later anyway.
    let rest = this.#pending + chunk.toString('latin1');
    this.#size += chunk.length;
    const replies: SmtpReply[] = [];
    if (this.#size > replyLimit) this.problem = 'The server sent an endless reply.';
    if (this.problem !== undefined) return replies;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end > 0 && rest[end - 1] === '\r' ? end - 1 : end);
      rest = rest.slice(end + 1);
      if (!/^[2-5]\d\d(?:[ -]|$)/.test(line)) {
        this.problem = `Not an SMTP reply: ${cleanReplyText(line).slice(0, 80)}`;
        return replies;
      }
      this.#lines.push(line.slice(4));
      if (line[3] === '-') continue;
      replies.push({ code: Number(line.slice(0, 3)), text: this.#lines.join(' '), lines: this.#lines });
      this.#lines = [];
      this.#size = rest.length;
    }
    this.#pending = rest;
    return replies;
  }
}

/** @returns e.g. `5.1.1` (RFC 3463), if the text starts with such a code or contains one after a `#` (Exchange) */
export function findEnhancedCode(code: number, text: string): string | null {
  const found =
    /^\s*([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(text) ?? /#([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(text);
  const enhanced = found?.[1] ?? null;
  // RFC 2034 section 4: its class must match the reply's. Otherwise it is something else, such as part of an IP address.
  return enhanced !== null && enhanced.startsWith(String(Math.floor(code / 100))) ? enhanced : null;
}

export interface Rejection {
  code: number;
  enhanced: string | null;
  text: string;
  stage: SmtpStage;
}

/** Classifies a rejection: the first rule that matches decides. */
export function classifyRejection(rejection: Rejection): BounceClass {
  const enhanced = rejection.enhanced ?? '';
  for (const rule of classifierRules) {
    if (rule.code !== undefined && !rule.code.test(String(rejection.code))) continue;
    if (rule.enhanced !== undefined && !rule.enhanced.test(enhanced)) continue;
    if (rule.text !== undefined && !rule.text.test(rejection.text)) continue;
    if (rule.stages !== undefined && !rule.stages.includes(rejection.stage)) continue;
    return rule.class;
  }
  return rejection.code < 500 ? 'transient' : 'unknown';
}

interface ClassifierRule {
  code?: RegExp;
  enhanced?: RegExp;
  text?: RegExp;
  stages?: SmtpStage[];
  class: BounceClass;
}

/**
 * Rejections of the sender come first: "blocked" read as "unknown user" would suppress valid addresses. Codes: RFC 3463,
 * RFC 7372 (x.7.20 to x.7.26), RFC 7505 (x.1.10), RFC 5321 section 4.2.3, and the mailbox providers' help pages.
 */
const classifierRules: ClassifierRule[] = [
  // Gmail and Microsoft: SPF, DKIM, DMARC, sender requirements. 5.7.9 is Yahoo's; elsewhere it is about login.
  { enhanced: /^[45]\.7\.(?:2[0-4]|26|27|30|31|32|40|515)$/, class: 'authentication' },
  { enhanced: /^[45]\.7\.9$/, text: /policy|dmarc|dkim|spf|authenticat/i, class: 'authentication' },
  {
    text: /\b(?:dmarc|spf|dkim)\b.{0,60}(?:fail|reject|not pass|policy|required)|unauthenticated (?:mail|email)/i,
    class: 'authentication',
  },
  // Gmail rate and reputation, PTR (5.7.25), Microsoft block lists 5.7.606 to 5.7.649, Yahoo TSS, Outlook RP-00x.
  { enhanced: /^[45]\.7\.(?:25|28|1[0-9]{2}|6(?:0[6-9]|[1-4]\d))$/, class: 'reputation' },
  {
    text: /\b(?:TSS\d\d|RP-00\d)\b|spamhaus|spamcop|barracuda(?:central)?|sorbs|\bRBL\b|DNSBL|block(?:ed)? ?list|blacklist|poor reputation|low reputation/i,
    class: 'reputation',
  },
  // The relay denies access or does not understand us: a problem of this installation, not of the address.
  { enhanced: /^[45]\.7\.8$/, class: 'protocol' },
  {
    text: /relay(?:ing)? (?:access )?(?:denied|not permitted|not allowed)|not permitted to relay|unable to relay|authentication (?:is )?required/i,
    class: 'protocol',
  },
  { code: /^53[0458]$/, class: 'protocol' },
  // Gmail uses 5.2.1 both for a disabled account and for one that receives mail too fast.
  { enhanced: /^[45]\.2\.1$/, text: /rate|too (?:quickly|many|fast)/i, class: 'transient' },
  { enhanced: /^[45]\.2\.2$/, class: 'mailbox_full' },
  {
    code: /^(?:552|452)$/,
    text: /mailbox|quota|storage|full/i,
    stages: ['rcpt', 'message', 'data'],
    class: 'mailbox_full',
  },
  {
    code: /^5/,
    text: /(?:mailbox|inbox|quota)[^.]{0,30}(?:full|exceeded)|over ?quota/i,
    class: 'mailbox_full',
  },
  { enhanced: /^5\.(?:3\.4|2\.3)$/, class: 'too_big' },
  {
    code: /^(?:552|523)$/,
    text: /too (?:big|large)|exceeds? (?:the )?(?:maximum |fixed )?(?:message |size)/i,
    class: 'too_big',
  },
  { enhanced: /^[45]\.4\.7$/, class: 'expired' },
  // After the more specific rules: everything that the server wants to be retried.
  { enhanced: /^4\.4\.[0-6]$/, class: 'routing_soft' },
  { code: /^4/, class: 'transient' },
  { enhanced: /^5\.1\.(?:1|3|6)$/, class: 'address_hard' },
  { enhanced: /^5\.2\.1$/, class: 'address_hard' },
  // RFC 5248: 525 5.7.13 user account disabled.
  { code: /^525$/, class: 'address_hard' },
  { enhanced: /^5\.7\.13$/, class: 'address_hard' },
  { enhanced: /^5\.1\.(?:2|10)$/, class: 'domain_hard' },
  { code: /^(?:556|521)$/, class: 'domain_hard' },
  {
    text: /(?:nullmx|null mx|domain (?:name )?(?:not found|does not exist)|no such domain|host (?:or domain name )?(?:unknown|not found)|nxdomain)/i,
    class: 'domain_hard',
  },
  { enhanced: /^5\.4\.1$/, text: /access denied/i, class: 'address_likely' },
  { enhanced: /^5\.7\.17$/, class: 'address_likely' },
  { enhanced: /^5\.4\.[34]$/, class: 'routing_soft' },
  {
    code: /^(?:550|551|553)$/,
    stages: ['rcpt'],
    text: /(?:unknown|no such|invalid|non-?exist|not exist|does(?:n't| not) exist|disabled|inactive|deactivated|not found|unavailable|undeliverable)/i,
    class: 'address_hard',
  },
  {
    code: /^55[0134]$/,
    text: /(?:no such|unknown) (?:user|mailbox|recipient|address)|user (?:unknown|not found)|user does(?:n't| not) have an? \S+ account/i,
    class: 'address_hard',
  },
  { enhanced: /^5\.7\.[01]$/, class: 'content' },
  { enhanced: /^5\.6\.\d+$/, class: 'content' },
  { enhanced: /^5\.5\.\d+$/, class: 'protocol' },
  { code: /^50[0-5]$/, class: 'protocol' },
  { code: /^55[04]$/, text: /spam|content|policy|virus|malware|phish/i, class: 'content' },
  { code: /^554$/, stages: ['data', 'message'], class: 'content' },
  { code: /^550$/, enhanced: /^(?:5\.0\.0)?$/, stages: ['rcpt'], class: 'address_likely' },
];

/** Converts a rejecting reply to the result of a message. */
export function toRejection(
  stage: SmtpStage,
  reply: Pick<SmtpReply, 'code' | 'text'>,
): TransportResult & { outcome: 'rejected' } {
  const text = cleanReplyText(reply.text);
  const enhanced = findEnhancedCode(reply.code, text);
  const { code } = reply;
  return {
    outcome: 'rejected',
    permanent: code >= 500,
    code,
    enhanced,
    text,
    stage,
    class: classifyRejection({ code, enhanced, text, stage }),
  };
}
