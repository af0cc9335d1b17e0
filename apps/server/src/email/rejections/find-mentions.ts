import type { RejectedEnvelope } from './rejection.ts';

/** Whom the text of a rejection names. */
export interface Mentions {
  /** The text that was read: in lower case, with names in braces for addresses and domains, without links and advice. */
  words: string;
  /** It speaks of the sender: address, domain, host name, IP address, authentication or reputation. */
  hasSender: boolean;
  /** It speaks of the sender's address or domain, which other senders of the same host do not share. */
  hasSenderAddress: boolean;
  /** It says that the recipient's address or mailbox does not exist, and names one of these. */
  hasMissingRecipient: boolean;
  /** The same of something that is not named, or of "the address", which is the recipient's in a reply to RCPT. */
  hasMissingAddress: boolean;
}

/** Longer texts are quotes and explanations. */
const maxLength = 1_000;

/**
 * Finds out whom a reply speaks of. Servers word the same fact in hundreds of ways, but they name whom they mean: by the
 * address or domain, which the envelope tells, or by a noun such as "sender", "client", "mailbox".
 */
export function findMentions(text: string, envelope: RejectedEnvelope | undefined): Mentions {
  const whole = normalize(text.slice(0, maxLength), envelope);
  const core = whole.replaceAll(advice, ' ');
  const mentions = readMentions(core);
  // "Please fix your reverse DNS" has nothing but advice.
  return mentions.hasSender || mentions.hasMissingRecipient || mentions.hasMissingAddress
    ? mentions
    : { ...readMentions(whole), hasMissingRecipient: false, hasMissingAddress: false };
}

function readMentions(words: string): Mentions {
  const missing = missingRecipient.exec(words);
  const namesSender = senderWords.test(words) || senderHost.test(words);
  // An IP address or host name can also be that of the server which speaks.
  const isSenderLikely = missing === null && senderTraces.test(words);
  return {
    words,
    hasSender: namesSender || isSenderLikely || isNamedFirst('{sender}', words, missing),
    hasSenderAddress: words.includes('{sender}') || words.includes('{us}') || senderWords.test(words),
    hasMissingRecipient: missing !== null,
    hasMissingAddress: missingAddress.test(words) || onlyMissing.test(words),
  };
}

/** Of sender and recipient, the one whose address is closest before "does not exist" is meant. */
function isNamedFirst(sender: string, words: string, missing: RegExpExecArray | null): boolean {
  if (!words.includes(sender)) return false;
  if (missing === null || !words.includes('{recipient}')) return true;
  const end = missing.index + missing[0].length;
  const nameBefore = /\{(?:sender|recipient)\}(?!.*\{(?:sender|recipient)\})/s.exec(words.slice(0, end));
  return (nameBefore ?? /\{(?:sender|recipient)\}/.exec(words))?.[0] === sender;
}

/** Puts names in braces for what the envelope knows, and removes what only looks like a statement. */
function normalize(text: string, envelope: RejectedEnvelope | undefined): string {
  let words = (envelope === undefined ? text : nameEnvelope(text, envelope))
    // A sentence that begins without a blank is no domain name.
    .replaceAll(/([a-z])\.([A-Z][a-z])/g, '$1. $2')
    .toLowerCase()
    .replaceAll(/(?:https?:\/\/|www\.)\S+/g, (url) => (/[?&/]ip[=/]|ipcheck/.test(url) ? ' {ip} ' : ' '))
    .replaceAll(addressLike, (address) => (isRewrittenSender.test(address) ? '{sender}' : '{address}'))
    .replaceAll(/\b(?:from|to|helo|ehlo|proto|client|size|sender|recipient)=\S*/g, ' ')
    .replaceAll(/\[ ?\d{1,3}(?:\.\d{1,3}){3}[^\]\n]{0,12}\]|\b\d{1,3}(?:\.\d{1,3}){3}\b(?:\/\d+)?/g, ' {ip} ')
    .replaceAll(/\[?(?:ipv6:)?\b[\da-f]{1,4}(?::[\da-f]{0,4}){2,6}:[\da-f]{1,4}\b\]?/g, ' {ip} ')
    .replaceAll(/#?\b[245]\.\d{1,3}\.\d{1,3}\b/g, ' ');
  for (const [pattern, meaning] of exchangeSymbols) words = words.replaceAll(pattern, meaning);
  return words
    .replaceAll(/(?<![\w{@.-])(?:[a-z\d_-]{1,63}\.){1,9}[a-z]{2,}\b/g, '{host}')
    .replaceAll(/[<>]/g, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(quoted, ' ')
    .replaceAll(inReplyTo, ' ')
    .replaceAll(incidentalSender, ' ');
}

const addressLike = /[^\s<>()[\]:;,"'@]{1,80}@[^\s<>()[\]:;,"'@]{1,80}/g;
/** An address of ours, also where a relay that forwards has rewritten it (SRS, BATV). */
const isRewrittenSender = /\{us\}|^(?:srs[01][=+-]|prvs=)/;

function nameEnvelope(text: string, { sender, recipient, fromDomain, clientName }: RejectedEnvelope): string {
  const there = domainOf(recipient);
  const ours = [domainOf(sender), fromDomain, clientName]
    .map((domain) => domain?.toLowerCase() ?? '')
    // Of a domain that sends to itself nobody can say which of both is meant.
    .filter((domain) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(domain) && domain !== there)
    .toSorted((first, second) => second.length - first.length);
  const names = [[recipient, '{recipient}'], [sender, '{sender}'], ...ours.map((domain) => [domain, '{us}'])];
  return names.reduce(
    // The envelope sender of returned mail is empty.
    (named, [name = '', meaning = '']) =>
      name === '' ? named : named.replaceAll(asWholeName(name), meaning),
    text,
  );
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

const asWholeName = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\w.+-])${name.replaceAll(/[^\w@]/g, String.raw`\$&`)}(?![\w-]|\.\w)`, 'gi');

/** Exchange names its conditions by symbols. */
const exchangeSymbols: [RegExp, string][] = [
  [/resolver\.adr\.(?:ex)?recip(?:ient)?notfound/g, 'recipient not found'],
  [/smtpsend\.dns\.non-?existentdomain/g, 'domain does not exist'],
  [/accountdisabledexception/g, 'account disabled'],
];

/** The server that a relay quotes. */
const quoted = /\b(?:host|server) \S+(?: ?\{ip\})? (?:said|says|responded|replied|returned):?/g;

/** Where a relay was in the dialog when the server said it. */
const inReplyTo = /\bin (?:reply|response) to (?:the )?(?:end of )?[\w ]{1,20} command\b/g;

const incidentalSender = new RegExp(
  [
    String.raw`\b(?:return(?:ed|ing)?|notif(?:y|ied|ying)|inform(?:ed|ing)?|tell|told|contact|ask|bounced?)(?: back)?(?: to)?(?: the| its)?(?: original)? sender\b`,
    String.raw`\b(?:the )?sender (?:will be|has been|was|is being) (?:notified|informed)`,
    String.raw`\b(?:(?:e-?mail|mail|messages?) )?from:? ?\{sender\} (?:sent )?to:? (?=\{recipient\})`,
    String.raw`\((?:(?:e-?mail|mail|message) )?from:? ?\{sender\}[^)]{0,80}\)`,
    String.raw`[([] ?(?:client|host|peer|remote|from)[:=]? ?\{ip\} ?[)\]]`,
  ].join('|'),
  'g',
);

/** What the reader should do, up to the end of the sentence. */
const advice =
  /\b(?:please|kindly|if (?:you|this|the)|for (?:more|further|additional|explanations?|details|help|assistance|information)|see|visit|go to|learn more|more information|(?<!to )contact (?:the|your|our|us|support|post\w*|admin\w*|\{address\}))\b[^.;!\n]*/g;

const any = (...parts: string[]): string => `(?:${parts.join('|')})`;

/** Nouns and phrases that only fit the sender, whatever else the text says. */
const senderWords = new RegExp(
  any(
    String.raw`\bsenders?\b`,
    String.raw`\boriginators?\b`,
    // de, fr, es, it
    String.raw`\babsender|\bexp.{0,2}diteur|\bremitente|\bmittente`,
    String.raw`\b(?:e-?mail|mail|message|header|envelope)s?[ -]?from\b`,
    String.raw`\bfrom(?:[ -]?(?:address|domain|header|field|line)\b|:)`,
    String.raw`\b(?:return|reverse)[ -]?path\b|\b(?:return|reply|reply-to) address|\borigin of\b`,
    String.raw`\b(?:sending|remote|originating) (?:e-?mail )?(?:user|account|mailbox|domain|address)\b|\byour (?:\w+ )?account\b`,
    String.raw`(?:@|\b(?:domain|at|of|in|user|host|name) )\{us\}`,
    String.raw`\byour (?:e-?mail|mail)[ -]?(?:address|domain|account)\b`,
    String.raw`\byour (?:own |envelope |sending )?(?:address(?! ?book| list)|domain)\b`,
    String.raw`\bfrom you\b|\b(?:send|sent|mail(?:ed|s)?) by you\b`,
    // Not "the user you are trying to reach".
    String.raw`\byou(?:'re| are| have been| were)(?! \w+ing\b)`,
    String.raw`\b(?:know|trust|like|accept|want) you(?:r|\b(?! \w))`,
    String.raw`\bnot (?:\w+ )?(?:allowed|authori[sz]ed|permitted|entitled) to (?:send|submit|use|mail|connect)`,
    String.raw`\bnot authori[sz]ed\b|\bunauthori[sz]ed\b|\bcredentials?\b|\byou send\b`,
    String.raw`\benvelope (?:domain|address)\b|\bbounce address\b`,
    String.raw`\bspoof\w*|\bimpersonat\w*|\bforge(?:d|ry)\b`,
    String.raw`\b(?:spf|dkim|dmarc|sender ?id|domainkeys)\b`,
    String.raw`\bunauthenticated\b`,
  ),
);

/** The host, network or IP address of the sender, and its reputation. */
const senderHost = new RegExp(
  any(
    String.raw`(?<!our |such )\bclients?\b(?! of ours)`,
    String.raw`\bhelo\b|\behlo\b`,
    String.raw`\b(?:sending|connecting|originating|submitting|remote|peer) (?:[\w-]+ ){0,2}(?:hosts?|servers?|mta|ip|address|system|network|machine|name)\b`,
    String.raw`\byour (?!messages?\b|mails?\b(?! ?(?:server|host|system|relay|provider|gateway))|e-?mails?\b(?! ?(?:server|host|system|relay|provider|gateway))|recipients?\b|contacts?\b)(?:[\w-]+ ){0,3}(?:servers?|hosts?(?:names?)?|ips?|mta|network|provider|isp|hello|dns|rdns|ptr|records?|access|connections?|organi[sz]ation|company|system|identity|relay|gateway|reputation)\b`,
    String.raw`\b(?:connections?|traffic|sessions?|transfers?) from\b`,
    String.raw`\baccess to (?:this|our|the) (?:e?-?mail )?(?:system|server|service)`,
    String.raw`\bptr\b|\brdns\b|\breverse[ -](?:dns|lookup|resolution|host ?name|name|record|mapping|entry)`,
    String.raw`\bbad dns\b|\bdynamic(?:ally)?\b|\bdial-?up\b|\bresidential\b`,
    String.raw`\b(?:black|block|deny|bad|reject)[ -]?list\w*|\bdnsr?bl\b|\bu?rbl\b|\bblocked (?:using|by|at)\b|\bblackholed?\b`,
    String.raw`(?<!not |is not )\blisted (?:in|on|at|by)\b|\bbanned\b|\bspamhaus|\bspamcop|\bbarracuda ?(?:central|reputation)|\bsorbs\b|\buceprotect|\binvaluement`,
    String.raw`\b(?:un-?known|no such|invalid) (?:(?:smtp|mail|e-?mail) )?(?:relay|server|hosts|network)\b|\b(?:by|from) (?:an? )?(?:unknown|invalid) (?:host|server)\b`,
    String.raw`\{ip\}(?: \w+){0,3} (?:blocked|denied|refused|disabled)\b|\b(?:blocked|denied|refused|disabled)\b[^.]{0,20}\{ip\}`,
    String.raw`\breputation\b|\bspam(?:my|mer)? ?(?:source|host|server)\b|\bspammers?\b|\bopen (?:relay|proxy)\b`,
    String.raw`\bips? (?:address(?:es)? )?(?:is|are|has|have|was|you|not|blocked|rejected|denied|frequency|reputation|range)\b|\bbad ip\b|\bthe ip\b`,
  ),
);

/** These name the sender's side, unless the text says that a recipient does not exist. */
const senderTraces = /\{ip\}|\bip\b|\{us\}|\bhost ?names?\b/;

/** Nouns for the recipient; `name` and `address` are others' as well. */
const recipientNoun = any(
  String.raw`\{recipient\}`,
  String.raw`\brecipients?\b`,
  String.raw`\brcpt(?:[ -]?to)?\b(?! commands?\b)`,
  String.raw`\busers?(?:name| ?id)?\b`,
  String.raw`\bmail-?(?: ?)box(?:es)?\b`,
  String.raw`\binbox\b`,
  String.raw`\baccounts?\b`,
  String.raw`\baddressees?\b`,
  String.raw`\bmaildrop\b`,
  String.raw`\b(?:customer|subscriber|employee|member|person|student|alias|aliases|client of ours)\b`,
  String.raw`\bour client\b|\blocal ?part\b`,
  // de, fr, es, it, without letters that are not ASCII
  String.raw`\bempf.{0,2}nger|\bpostfach|\bbenutzer|\bkonto\b|\bdestinataire|\butilisateur|\bbo.te aux lettres|\bcompte\b|\bcuenta\b|\bbuz.{0,2}n\b|\bdestinatari|\busuario|\butente|\bcasella`,
);
const addressNoun = any(
  String.raw`\be?-?mail ?(?:address(?:es)?|id)\b`,
  String.raw`\baddress(?:es)?\b`,
  String.raw`\b(?:e-?)?(?:mail-?)?adress\w*`,
  String.raw`\bname\b`,
  String.raw`\be-?mail\b(?= (?:does|is|not)\b)`,
  String.raw`\bdestination\b(?! (?:host|server|domain))`,
  String.raw`\bmail\b(?= (?:not found|unknown))`,
);

const missingAfter = any(
  String.raw`\bun-?known\b|\bunkown\b|\bundefined\b|\bunbekannt|\binconnue?\b|\bdesconocid[oa]|\bsconosciut[oa]`,
  String.raw`\bunrecogni[sz]ed\b|\binvalid(?:e)?\b|\bmalformed\b|\bung.{0,2}ltig|\binexist\w+|\bnon?[- ]?exist\w*`,
  String.raw`\b(?:does|do|did|has|have|is|are|was|were|could|can|will)(?: ?not|n'?t|nt)\b(?: [^\s]+){0,3}? (?:exist\w*|valid|found|known|registered|listed|active|deliverable|available|here|recogni[sz]ed|present|assigned|provisioned|hosted|use|local|accounts?|mailbox|ours?|one|users?)\b`,
  String.raw`\bcan'?t ?(?:be )?(?:find|found)\b|\bcannot be (?:found|located|identified)\b`,
  String.raw`\bnot (?:a |be |an? )?(?:\w+ )?(?:exist\w*|valid|found|known|registered|listed|active|deliverable|available|here|recogni[sz]ed|present|assigned|provisioned|hosted|local|in use|ours?|in (?:our |the |this )?(?:directory|database|system|domain|list))\b`,
  String.raw`\bnicht (?:mehr )?(?:g.{0,2}ltig|vorhanden|bekannt|in gebrauch)\b|\bexistiert nicht|\bn'existe pas|\bno existe|\bnon esiste`,
  String.raw`\bno (?:longer|more)\b|\bnot anymore\b`,
  String.raw`\bunavailable\b|\bdisabled\b|\binactive\b|\bde-?activated\b|\bclosed\b|\bterminated\b|\bdeleted\b|\bremoved\b|\bdiscontinued\b|\bexpired\b|\bretired\b|\babandoned\b|\bcancell?ed\b|\bdead\b|\bgone\b|\bunassigned\b`,
  String.raw`\bundeliverable\b|\bunrout(?:e?able|ed)\b`,
  String.raw`\b(?:has|have) (?:left|moved|gone)\b|\bleft the\b`,
);
const missingBefore = any(
  String.raw`\bno\b(?: such)?`,
  String.raw`\bun-?known\b|\bunkown\b|\bunbekannte[rs]?\b|\binconnue?\b`,
  String.raw`\binvalid\b|\bbad\b|\billegal\b|\bmalformed\b|\bwrong\b|\bnon?-?exist\w+|\bundeliverable\b|\bunrout(?:e?able)\b`,
  String.raw`\binactive\b|\bdisabled\b|\bdeactivated\b|\bdeleted\b|\bclosed\b|\bexpired\b|\bunavailable\b`,
  String.raw`\bnot (?:our|an?(?: valid| known| local)?|one of our|(?:a )?valid|known|existing)\b`,
  String.raw`\b(?:is|are|was)n'?t (?:an?|our|one of our)\b`,
  String.raw`\b(?:can(?:not|'?t)|could ?n[o']?t|unable to|failed to) (?:find|locate|resolve)\b`,
  String.raw`\bdo(?:es)?(?: not|n'?t) (?:have|host|know|recogni[sz]e)\b`,
);

const missing = (noun: string): RegExp =>
  new RegExp(
    `${noun}[^]{0,80}?${missingAfter}|${missingBefore}(?: [\\w-]+){0,3}:? ${noun}|\\b(?:no ?one|nobody) (?:here|by that name)`,
  );

const missingRecipient = missing(recipientNoun);
const missingAddress = missing(any(recipientNoun, addressNoun));

/** Nothing else is said: "unknown", "<x@y> does not exist", "no such person here". */
const onlyMissing = new RegExp(
  `^[\\s:,.]*(?:sorry[\\s,:]*)?(?:${any('\\{recipient\\}', '\\{address\\}')}[\\s:,.-]*)?(?:it |is )*(?:${missingAfter}|no such \\w+|unrout(?:e?able))(?: (?:here|by that name|at this \\w+|on this \\w+))*[\\s.!:]*$`,
);
