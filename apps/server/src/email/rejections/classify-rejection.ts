import { findMentions, type Mentions } from './find-mentions.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import type { Rejection, RejectionSubject, SmtpStage } from './rejection.ts';

interface ClassifierRule {
  code?: RegExp;
  enhanced?: RegExp;
  /** Of the text in lower case, with the envelope and links replaced (`Mentions.words`). */
  text?: RegExp;
  mentions?: (mentions: Mentions) => boolean;
  stages?: readonly SmtpStage[];
  class: BounceClass;
}

/**
 * Classifies a rejection: first by whom it speaks of (session, sender, recipient, content), then by what it says. The first
 * rule that matches decides. "No such user" about the sender's address, read as a statement about the recipient, would
 * suppress a valid address.
 */
export function classifyRejection(rejection: Rejection): { subject: RejectionSubject; class: BounceClass } {
  const mentions = findMentions(rejection.text, rejection.envelope);
  for (const [subject, rules] of rulesBySubject)
    for (const rule of rules) if (matches(rule, rejection, mentions)) return { subject, class: rule.class };
  return { subject: 'content', class: rejection.code < 500 ? 'transient' : 'unknown' };
}

const matches = (rule: ClassifierRule, { code, enhanced, stage }: Rejection, mentions: Mentions): boolean =>
  (rule.code === undefined || rule.code.test(String(code))) &&
  (rule.enhanced === undefined || rule.enhanced.test(enhanced ?? '')) &&
  (rule.text === undefined || rule.text.test(mentions.words)) &&
  (rule.mentions === undefined || rule.mentions(mentions)) &&
  (rule.stages === undefined || rule.stages.includes(stage));

// The server knows no recipient before RCPT.
const afterMail: readonly SmtpStage[] = ['rcpt', 'data', 'message'];

const ofSession =
  /(?:too many|max\w*|limit\w*|exceed\w*)\b.{0,60}\b(?:(?:per|this|one|each|the|a) )(?:smtp )?(?:session|connection)\b|\bper (?:session|connection)\b|\b(?:session|connection)s?\b.{0,20}\b(?:limit|exceed\w*)|too many (?:concurrent |simultaneous |open |parallel )*(?:connections|sessions)|\bconnection (?:rate|frequency)|\b(?:shutting|going) down\b|\bshutdown\b/s;

const sessionRules: ClassifierRule[] = [
  { code: /^4/, text: ofSession, class: 'transient' },
  // RFC 3463 section 3.5 and 3.6: x.4.5 congestion, x.5.3 too many recipients, although each transaction has one.
  { code: /^4/, enhanced: /^4\.(?:4\.5|5\.3)$/, class: 'transient' },
  // RFC 3463 section 3.4: the system accepts no messages. Microsoft 365 has it for busy mailboxes as well.
  {
    code: /^4/,
    enhanced: /^4\.3\.2$/,
    mentions: ({ words }) => !words.includes('recipient'),
    class: 'transient',
  },
  { text: ofSession, class: 'reputation' },
  // Of those before this one.
  {
    text: /\btoo many (?:invalid|bad|unknown|wrong) (?:recipients?|users?|address(?:es)?|rcpt)\b/,
    class: 'reputation',
  },
];

const senderRules: ClassifierRule[] = [
  // RFC 7372 (x.7.20 to x.7.26); Gmail and Microsoft: SPF, DKIM, DMARC, sender requirements, banned senders.
  {
    enhanced: /^[45]\.7\.(?:2[0-4]|26|27|30|31|32|40|57|60|50[1-36-9]|51[015]|750)$/,
    class: 'authentication',
  },
  // 5.7.9 is Yahoo's; elsewhere it is about login.
  { enhanced: /^[45]\.7\.9$/, text: /policy|dmarc|dkim|spf|authenticat/, class: 'authentication' },
  {
    text: /\b(?:dmarc|spf|dkim)\b.{0,60}(?:fail|reject|not pass|policy|required)|unauthenticated (?:mail|email)/s,
    class: 'authentication',
  },
  // Gmail rate and reputation, PTR (5.7.25), Microsoft block lists 5.7.606 to 5.7.649 and tenant limits 5.7.7xx.
  { enhanced: /^[45]\.7\.(?:25|28|1[0-9]{2}|513|6(?:0[6-9]|[1-4]\d)|7\d\d)$/, class: 'reputation' },
  // Yahoo TSS, Outlook RP-00x, and names of block lists.
  {
    text: /\b(?:tss\d\d|rp-00\d)\b|spamhaus|spamcop|barracuda(?:central)|sorbs|\brbl\b|dnsbl|block(?:ed)? ?list|blacklist|poor reputation|low reputation/,
    class: 'reputation',
  },
  // The relay denies access or does not understand us: a problem of this installation, not of the address.
  { enhanced: /^[45]\.7\.(?:8|64)$/, class: 'protocol' },
  {
    text: /relay(?:ing)? (?:access )?(?:denied|not permitted|not allowed|disallowed|prohibited|rejected)|(?:not permitted|not allowed|unable|refus\w+|cannot|will not|do(?:es)? not|don't) (?:to )?relay|\brcpthosts\b|cannot deliver mail for|authentication (?:is )?(?:required|needed|failed)|must (?:authenticate|log ?in)/,
    class: 'protocol',
  },
  { code: /^53[0458]$/, class: 'protocol' },
  // RFC 3463 section 3.2: x.1.7 and x.1.8 are the sender's address. RFC 7505: x.7.27, its domain has a null MX.
  { code: /^5/, enhanced: /^5\.1\.[78]$/, class: 'authentication' },
  { code: /^4/, enhanced: /^4\.1\.[78]$/, class: 'transient' },
  // GMX and others ask the DNS about the domain of the sender. The first words may be those of RFC 5321, section 4.2.3, for
  // each 550: "Requested action not taken: mailbox unavailable".
  {
    code: /^5/,
    text: /\b(?:invalid|bad|no|missing|wrong) dns\b|\bresource records?\b|\baction not taken:? mailbox unavailable\b.*\b(?:policy|spam\w*|reputation|dns)\b/s,
    mentions: ({ words }) => !words.includes('{recipient}'),
    class: 'authentication',
  },
  {
    code: /^5/,
    text: /\bno (?:valid )?(?:mx|a|aaaa)(?: (?:or|and|nor) (?:mx|a|aaaa))* records?\b|\bmx records? (?:not found|missing|invalid)|\b(?:no|invalid) mx\b/,
    // Of a domain that is named, it is the recipient's unless it is one of ours.
    mentions: ({ words }) => !/\{recipient\}|\{host\}|\brecipient/.test(words),
    class: 'authentication',
  },
  // Gmail 5.4.5 and others: the sender has used up its quota.
  { text: /\b(?:daily|hourly|sending|outgoing|outbound) (?:\w+ ){0,3}(?:quota|limit)/, class: 'reputation' },
  {
    code: /^5/,
    text: /\{ip\}|\bips?\b|\bclient|\bhost|\b(?:black|block|deny)[ -]?list|\blisted\b|\bbanned\b|reputation|\bptr\b|\bdns\b|\bdynamic|\bdial|\bnetwork\b|\bspam/,
    mentions: ({ hasSender }) => hasSender,
    class: 'reputation',
  },
  { code: /^5/, mentions: ({ hasSender }) => hasSender, class: 'authentication' },
  { code: /^4/, stages: afterMail, mentions: ({ hasSender }) => hasSender, class: 'transient' },
  { code: /^4/, stages: ['mail'], mentions: ({ hasSenderAddress }) => hasSenderAddress, class: 'transient' },
];

const missingRecipient: ClassifierRule = {
  // 53x is about login, 50x about commands; 511 is the code of chkuser for qmail, 501 that of RFC 5321 for a bad syntax.
  code: /^5(?:[124-9]\d|01)$/,
  mentions: ({ hasMissingRecipient }) => hasMissingRecipient,
  class: 'address_hard',
};
const missingAddress: ClassifierRule = {
  code: /^55[0134]$/,
  mentions: ({ hasMissingAddress }) => hasMissingAddress,
  class: 'address_hard',
};
/** RFC 5321, section 4.2.2: 501 is also about the syntax of commands. */
const invalidAddress = /^(?!.*\b(?:syntax|argument|parameter|command|helo|ehlo)s?\b)/s;
/** 554 is also the answer to everything in a message; this says that an address is dead. */
const addressIsGone =
  /^(?!.*\b(?:body|contains?|content|headers?|urls?|links?|attachments?|virus|subject|message-?id|certificate)\b).*(?:(?<!\bip )\baddress\b(?: (?!ip\b)[^\s]+){0,5}? (?:no longer\b|(?:do(?:es)?(?: not|n'?t)|could(?: not|n'?t)|can(?:not|'?t)|was not|is not|not) (?:be )?(?:a )?(?:exist\w*|found|valid|known|active|in use)|unknown\b|disabled\b|inactive\b|deactivated\b|deleted\b)|\bno such (?:e-?mail )?address\b|adresse\b[^.]{0,20}(?:existiert nicht|unbekannt|nicht (?:mehr )?(?:g.{0,2}ltig|vorhanden|bekannt)))/s;
const noPartOfMessage = /^(?!.*\b(?:headers?|urls?|links?|attachments?|virus|subject|message-?id)\b)/s;

const recipientRules: ClassifierRule[] = [
  // Gmail uses 5.2.1 both for a disabled account and for one that receives mail too fast.
  { enhanced: /^[45]\.2\.1$/, text: /\brate\b|too (?:quickly|many|fast)/, class: 'transient' },
  // Microsoft: the recipient has reached its limit of messages per hour.
  { enhanced: /^[45]\.2\.(?:121|122)$/, class: 'transient' },
  { enhanced: /^[45]\.2\.2$/, stages: afterMail, class: 'mailbox_full' },
  {
    code: /^(?:552|452)$/,
    text: /mailbox|quota|storage|full/,
    mentions: ({ hasMissingRecipient }) => !hasMissingRecipient,
    stages: afterMail,
    class: 'mailbox_full',
  },
  {
    code: /^5/,
    text: /(?:mailbox|inbox|quota|account)[^.]{0,30}(?:full|exceeded|over ?quota)|over ?quota|mailbox size limit/,
    stages: afterMail,
    class: 'mailbox_full',
  },
  { enhanced: /^[45]\.4\.7$/, class: 'expired' },
  // Permanent by its code only: a fault of the server, for example of its directory.
  {
    code: /^5/,
    stages: afterMail,
    text: /\btemporar(?:y|ily)\b|\btry (?:again )?later\b|\b(?:database|ldap|directory|backend|look-?up|table)\b.{0,20}\b(?:un-?available|not available|errors?|fail\w*|down|time-?out)\b/,
    class: 'transient',
  },
  {
    code: /^5/,
    stages: afterMail,
    text: /\b(?:service|server|system|policy|connection|filter|message|transaction)(?: (?:is|was|has|been|currently))* (?:un-?available|not available|closed|down|expired|removed|deleted|terminated|disabled)\b/,
    class: 'unknown',
  },
  // After the more specific rules: everything that the server wants to be retried.
  { enhanced: /^4\.4\.[0-6]$/, stages: afterMail, class: 'routing_soft' },
  { code: /^4/, stages: afterMail, class: 'transient' },
  // RFC 7505: the domain has a null MX. RFC 7504: its host takes no mail.
  { code: /^(?:556|521)$/, stages: afterMail, class: 'domain_hard' },
  { enhanced: /^5\.1\.2$|^5\.4\.310$/, stages: afterMail, class: 'domain_hard' },
  {
    text: /null ?mx|\bdomain (?:name )?(?:(?:was |is |could )?not (?:be )?found|does(?: not|n't) exist|unknown|not exist|has no (?:valid )?mx)|no such domain|(?:find|unknown|invalid|non-?existent) (?:the )?(?:recipient'?s? )?domain\b|\bhost (?:or domain name )?(?:unknown|not found)|nxdomain/,
    code: /^5/,
    stages: afterMail,
    class: 'domain_hard',
  },
  // RFC 3463 section 3.2 and 3.3; RFC 5248: 525 5.7.13 user account disabled.
  { enhanced: /^5\.1\.(?:1|3|6)$|^5\.2\.1$|^5\.7\.13$/, stages: afterMail, class: 'address_hard' },
  { code: /^525$/, stages: afterMail, class: 'address_hard' },
  // Cisco: the answer for a recipient who is not in its table or directory.
  { enhanced: /^5\.1\.0$/, text: /address rejected/, stages: ['rcpt'], class: 'address_hard' },
  // Microsoft 365: "access denied" where its directory does not have the recipient, or cannot tell.
  { enhanced: /^5\.4\.1$/, text: /access denied/, stages: afterMail, class: 'address_likely' },
  // RFC 7293: the mailbox or the domain has another owner.
  { enhanced: /^5\.7\.1[78]$/, stages: afterMail, class: 'address_likely' },
  { enhanced: /^5\.4\.[34]$/, stages: afterMail, class: 'routing_soft' },
  // What follows reads the text. In a reply to the message, it may speak of its header and links.
  { ...missingRecipient, stages: ['rcpt'] },
  // 510 and 511 are those of servers that follow no RFC.
  { ...missingAddress, code: /^5(?:5[0134]|1[01])$/, stages: ['rcpt'] },
  { ...missingAddress, code: /^501$/, stages: ['rcpt'], text: invalidAddress },
  { ...missingRecipient, stages: ['data', 'message'], text: noPartOfMessage },
  { ...missingAddress, code: /^55[013]$/, stages: ['data', 'message'], text: noPartOfMessage },
  { ...missingAddress, code: /^554$/, stages: ['data', 'message'], text: addressIsGone },
  { enhanced: /^5\.1\.10$/, stages: afterMail, class: 'domain_hard' },
  {
    code: /^55\d$/,
    stages: afterMail,
    text: /\b(?:user|mailbox|account|recipient)\b.{0,40}\b(?:suspended|locked|blocked|restricted|frozen|on hold)/s,
    class: 'address_likely',
  },
];

const contentRules: ClassifierRule[] = [
  // RFC 3463 section 3.3 and 3.4, RFC 1870: a server that knows the size says this after MAIL.
  { enhanced: /^5\.(?:3\.4|2\.3)$/, class: 'too_big' },
  {
    code: /^(?:552|523)$/,
    text: /too (?:big|large)|exceeds? (?:the )?(?:maximum |fixed )?(?:message |size)/,
    class: 'too_big',
  },
  { enhanced: /^5\.7\.[01]$/, stages: afterMail, class: 'content' },
  { enhanced: /^5\.6\.\d+$/, stages: afterMail, class: 'content' },
  { code: /^55[04]$/, text: /spam|content|policy|virus|malware|phish/, stages: afterMail, class: 'content' },
  { code: /^554$/, stages: ['data', 'message'], class: 'content' },
];

/** RFC 3463 section 3.6, RFC 5321 section 4.2.2: the server does not understand what this installation says. */
const commandRules: ClassifierRule[] = [
  { enhanced: /^5\.5\.\d+$/, class: 'protocol' },
  { code: /^50[0-5]$/, class: 'protocol' },
];

const rulesBySubject: readonly (readonly [RejectionSubject, readonly ClassifierRule[]])[] = [
  ['session', sessionRules],
  ['sender', senderRules],
  ['recipient', recipientRules],
  ['content', contentRules],
  ['sender', commandRules],
  // A server says this without knowing the recipient or the message: for now it takes nothing over this connection, or
  // it does not accept the sender.
  ['session', [{ code: /^4/, stages: ['mail'], class: 'transient' }]],
  ['sender', [{ code: /^5/, stages: ['mail'], class: 'authentication' }]],
  ['recipient', [{ code: /^550$/, enhanced: /^(?:5\.0\.0)?$/, stages: ['rcpt'], class: 'address_likely' }]],
];
