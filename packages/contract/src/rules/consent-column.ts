/**
 * Columns of files in which people say whether they want email: which columns these are, and what their cells mean. Used by
 * imports on the server and by the preview of a file in the browser.
 */

/** What “yes” means in such a column: that the person wants email, or that they do not. */
export const consentMeanings = ['subscribed', 'unsubscribed'] as const;
export type ConsentMeaning = (typeof consentMeanings)[number];

/**
 * What happens to rows whose cell is neither yes nor no. In a column where “yes” means subscribed, an empty cell is such a
 * cell, too: a missing consent is no consent.
 */
export const unclearConsents = ['reject', 'unsubscribe', 'leave_out'] as const;
export type UnclearConsent = (typeof unclearConsents)[number];

/** Boolean values as spreadsheets write them, in English and German. */
export const trueWords = ['true', '1', 'yes', 'y', 'wahr', 'ja', 'x'];
export const falseWords = ['false', '0', 'no', 'n', 'falsch', 'nein'];

/**
 * `yes`, `no` and `affirmed` mean what their column is about: an objection can be confirmed, too. The others mean the same in
 * every column. `unmailable` are the words of other programs for people who get no mail there, though they have not said so:
 * bounced, blocked, not confirmed.
 */
export type ConsentAnswer = 'yes' | 'no' | 'affirmed' | ConsentMeaning | 'unmailable';

const answers = new Map<string, ConsentAnswer>(
  Object.entries({
    // Programs that know no empty boolean write 1.0 and 0.0.
    yes: [...trueWords, '1.0', 'j', 't', 'on', '✓', '✔', '☑'],
    no: [...falseWords, '0.0', 'f', 'off', '✗', '✘', '☐'],
    affirmed: ['confirmed', 'bestätigt', 'zugestimmt', 'erteilt', 'granted', 'accepted', 'agreed'],
    subscribed: [
      'subscribed',
      'opt in',
      'optin',
      'opted in',
      'double opt in',
      'abonniert',
      'angemeldet',
      'eingewilligt',
    ],
    unsubscribed: [
      'unsubscribed',
      'unsubscribe',
      'unsub',
      'not subscribed',
      'non subscribed',
      'nonsubscribed',
      'never subscribed',
      'no longer subscribed',
      'opt out',
      'optout',
      'opted out',
      'optedout',
      'abgemeldet',
      'abmeldung',
      'ausgetragen',
      'abbestellt',
      'nicht abonniert',
      'nicht angemeldet',
      'nicht mehr abonniert',
      'nicht mehr angemeldet',
      'gekündigt',
      'widerruf',
      'widerrufen',
      'widerspruch',
      'widersprochen',
      'abgelehnt',
      'verweigert',
      'nicht erteilt',
      'nicht eingewilligt',
      'nicht zugestimmt',
      'nicht einverstanden',
      'keine einwilligung',
      'keine zustimmung',
      'keine werbung',
      'kein newsletter',
      'keine e mails',
      'keine mails',
      'nicht kontaktieren',
      'nicht anschreiben',
      'declined',
      'denied',
      'refused',
      'revoked',
      'withdrawn',
      'not granted',
      'no consent',
      'no newsletter',
      'no email',
      'no emails',
      'no mail',
      'do not contact',
      'do not email',
      'do not mail',
      'never',
    ],
    unmailable: [
      'cleaned',
      'bounce',
      'bounced',
      'hard bounce',
      'hard bounced',
      'soft bounce',
      'soft bounced',
      'complaint',
      'complained',
      'spam',
      'spam complaint',
      'spam report',
      'marked as spam',
      'beschwerde',
      'suppressed',
      'blocked',
      'blocklisted',
      'blacklisted',
      'gesperrt',
      'blockiert',
      'archived',
      'archiviert',
      'inactive',
      'inaktiv',
      'deactivated',
      'deaktiviert',
      'disabled',
      'deleted',
      'gelöscht',
      'invalid',
      'ungültig',
      'undeliverable',
      'unzustellbar',
      'nicht zustellbar',
      'transactional',
      'pending',
      'waiting',
      'ausstehend',
      'wartend',
      'unconfirmed',
      'not confirmed',
      'unverified',
      'not verified',
      'unbestätigt',
      'nicht bestätigt',
      'expired',
      'abgelaufen',
    ],
  } satisfies Record<ConsentAnswer, string[]>).flatMap(([answer, words]) =>
    words.map((word) => [word, answer as ConsentAnswer] as const),
  ),
);

/** Longer texts are not answers and are not looked at. */
const maxAnswerLength = 40;

/** @returns undefined for an empty cell, and for one that is neither yes nor no */
export const readConsentAnswer = (cell: string): ConsentAnswer | undefined =>
  cell.length > maxAnswerLength ? undefined : answers.get(plainAnswer(cell));

/** Without case, signs that nobody sees, kinds of dashes and blanks, and the quotes and full stops around a word. */
const plainAnswer = (cell: string): string =>
  cell
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/^[\s\p{Pi}\p{Pf}"'„‚([]+|[\s\p{Pi}\p{Pf}"'.!)\]]+$/gu, '')
    .toLowerCase()
    .replace(/[\s_\p{Pd}]+/gu, ' ');

/**
 * @returns whether a cell says that the person wants no email; undefined if it is neither yes nor no. The day of an opt-out is
 *   one; the day of a consent says nothing about whether it has been withdrawn since.
 */
export function readOptOut(cell: string, yesMeans: ConsentMeaning): boolean | undefined {
  const answer = readConsentAnswer(cell);
  if (answer === undefined) return yesMeans === 'unsubscribed' && isDay(cell) ? true : undefined;
  if (answer === 'yes' || answer === 'affirmed') return yesMeans === 'unsubscribed';
  if (answer === 'no') return yesMeans === 'subscribed';
  return answer !== 'subscribed';
}

/** A day of this or the last century, in any order and with any time after it. */
const isDay = (cell: string): boolean =>
  /^((19|20)\d\d([-/.])\d{1,2}\3\d{1,2}|\d{1,2}([-/.])\d{1,2}\4(19|20)?\d\d)(?![\d./-])/.test(cell.trim());

/** Number of cells of a column by what they say, over the whole file. */
export type ConsentTally = Readonly<Record<ConsentAnswer | 'empty' | 'unclear', number>>;

export const noConsents: ConsentTally = {
  yes: 0,
  no: 0,
  affirmed: 0,
  subscribed: 0,
  unsubscribed: 0,
  unmailable: 0,
  empty: 0,
  unclear: 0,
};

/** @returns the people who opted out, and those whose cell decides nothing */
export const countConsents = (tally: ConsentTally, yesMeans: ConsentMeaning) => ({
  optedOut:
    tally.unsubscribed +
    tally.unmailable +
    (yesMeans === 'subscribed' ? tally.no : tally.yes + tally.affirmed),
  unclear: tally.unclear + (yesMeans === 'subscribed' ? tally.empty : 0),
});

const optOutHeading =
  /(^|_)(unsubscribed?|opt_?out|opted_out|abgemeldet|abmeldung|abbestellt|abbestellung|(werbe)?widerspruch|widersprochen|widerruf|widerrufen|do_not_(e_?)?mail|do_not_contact|donotmail|no_(e_?mail|mail|mailing|newsletter|marketing|contact)|keine?_(werbung|newsletter|mail|e_?mail|kontakt)|nicht_(anschreiben|kontaktieren)|werbesperre|mailsperre|not_subscribed)(_|$)/;
const optInHeading =
  /(^|_)(newsletter\w*|opt_?in|opted_in|doi|subscribed?|subscription|subscriber_status|abonniert|abonnent|angemeldet|anmeldung|einwilligung\w*|eingewilligt|werbeeinwilligung|zustimmung|zugestimmt|consent|permission|accepts_marketing|marketing|werbung|mailing|e_?mailing|dsgvo|gdpr)(_|$)/;
/** In a heading about consents, also within a compound such as “Newsletterabmeldung”: “yes” then means the opposite. */
const negation =
  /^(no|ohne|without)_|(^|_)(kein(e|en|er)?|nicht|not|never|dont|don_t)_|abmeld|abgemeld|abbestell|widersp|widerruf|untersag|verbot|sperr|ablehn|abgelehnt|unerwu|kundig|unsub|opt_?out|opted_out|declin|refus|revok|withdr|denied|reject|block|exclude|cancel|ausgetrag|austrag|abgewahl|beend|gestoppt|storn|gelosch|inakt|inactiv|deakt|deactiv|disabl|stopp|remov|delet|suppress|bounc|complain|spam|invalid|ungultig|expired|abgelauf|pending|ausstehend|(^|_)(nein|off|stop)(_|$)/;

/** Headings of states, in which “yes” is the state of people who get mail. */
const stateHeading =
  /(^|_)(status|state|zustand|active|aktiv|enabled|confirmed|bestatigt|verified|verifiziert|allowed|erlaubt|erlaubnis|mailable|contactable|kontaktierbar)(_|$)/;

/** @returns a heading or name in lower case, its words separated by underscores */
export const plainHeading = (heading: string): string =>
  heading
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

/**
 * @param heading  of a column, or the name of a field; see `plainHeading`
 * @returns what “yes” means if it is about consents, undefined otherwise
 */
export function consentMeaningOf(heading: string): ConsentMeaning | undefined {
  if (optOutHeading.test(heading)) return 'unsubscribed';
  if (!optInHeading.test(heading)) return undefined;
  return negation.test(heading) ? 'unsubscribed' : 'subscribed';
}

/** What “yes” means in a column that goes into a field of opt-outs, if nobody has said it. */
export const optOutMeaningOf = (heading: string): ConsentMeaning =>
  consentMeaningOf(heading) ??
  (stateHeading.test(heading) && !negation.test(heading) ? 'subscribed' : 'unsubscribed');

/** What “yes” means in a column that goes into a field of consents, if nobody has said it. */
export const optInMeaningOf = (heading: string): ConsentMeaning =>
  consentMeaningOf(heading) ?? (negation.test(heading) ? 'unsubscribed' : 'subscribed');

/**
 * @param heading  see `plainHeading`
 * @returns what “yes” means if this is a column of consents, undefined otherwise
 */
export function guessConsentMeaning(heading: string, tally: ConsentTally): ConsentMeaning | undefined {
  const explicit = tally.subscribed + tally.unsubscribed + tally.affirmed;
  const answered = explicit + tally.unmailable + tally.yes + tally.no;
  const filled = answered + tally.unclear;
  if (answered === 0) return undefined;
  // A column such as “Status” is known by its cells alone, if they are not only the words of other states.
  if (explicit > 0.5 * filled && explicit + tally.unmailable >= 0.9 * filled)
    return negation.test(heading) ? 'unsubscribed' : (consentMeaningOf(heading) ?? 'subscribed');
  return answered < 0.5 * filled ? undefined : consentMeaningOf(heading);
}
