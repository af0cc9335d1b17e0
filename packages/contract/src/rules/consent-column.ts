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

/** `yes` and `no` mean what their column is about; the others mean the same in every column. */
export type ConsentAnswer = 'yes' | 'no' | ConsentMeaning;

const answers = new Map<string, ConsentAnswer>(
  Object.entries({
    yes: [...trueWords, 'j', 't', 'on', '✓', '✔', '☑'],
    no: [...falseWords, 'f', 'off', '✗', '✘', '☐'],
    subscribed: [
      'subscribed',
      'opt in',
      'optin',
      'opted in',
      'double opt in',
      'confirmed',
      'bestätigt',
      'abonniert',
      'angemeldet',
      'eingewilligt',
      'zugestimmt',
      'erteilt',
      'granted',
      'accepted',
      'agreed',
    ],
    unsubscribed: [
      'unsubscribed',
      'not subscribed',
      'opt out',
      'optout',
      'opted out',
      'abgemeldet',
      'abbestellt',
      'nicht abonniert',
      'nicht angemeldet',
      'gekündigt',
      'widerrufen',
      'widersprochen',
      'abgelehnt',
      'nicht erteilt',
      'declined',
      'denied',
      'refused',
      'revoked',
      'withdrawn',
    ],
  } satisfies Record<ConsentAnswer, string[]>).flatMap(([answer, words]) =>
    words.map((word) => [word, answer as ConsentAnswer] as const),
  ),
);

/** Longer texts are not answers and are not looked at. */
const maxAnswerLength = 40;

/** @returns undefined for an empty cell, and for one that is neither yes nor no */
export const readConsentAnswer = (cell: string): ConsentAnswer | undefined =>
  cell.length > maxAnswerLength
    ? undefined
    : answers.get(
        cell
          .trim()
          .toLowerCase()
          .replace(/[\s_-]+/g, ' '),
      );

/** @returns whether a cell says that the person wants no email; undefined if it is neither yes nor no */
export function readOptOut(cell: string, yesMeans: ConsentMeaning): boolean | undefined {
  const answer = readConsentAnswer(cell);
  if (answer === undefined) return undefined;
  if (answer === 'yes') return yesMeans === 'unsubscribed';
  if (answer === 'no') return yesMeans === 'subscribed';
  return answer === 'unsubscribed';
}

/** Number of cells of a column by what they say, over the whole file. */
export type ConsentTally = Readonly<Record<ConsentAnswer | 'empty' | 'unclear', number>>;

export const noConsents: ConsentTally = {
  yes: 0,
  no: 0,
  subscribed: 0,
  unsubscribed: 0,
  empty: 0,
  unclear: 0,
};

/** @returns the people who opted out, and those whose cell decides nothing */
export const countConsents = (tally: ConsentTally, yesMeans: ConsentMeaning) => ({
  optedOut: tally.unsubscribed + (yesMeans === 'subscribed' ? tally.no : tally.yes),
  unclear: tally.unclear + (yesMeans === 'subscribed' ? tally.empty : 0),
});

const optOutHeading =
  /(^|_)(unsubscribed?|opt_?out|opted_out|abgemeldet|abmeldung|abbestellt|abbestellung|(werbe)?widerspruch|widersprochen|widerruf|widerrufen|do_not_(e_?)?mail|do_not_contact|donotmail|no_(e_?mail|mail|mailing|newsletter|marketing|contact)|keine?_(werbung|newsletter|mail|e_?mail|kontakt)|nicht_(anschreiben|kontaktieren)|werbesperre|mailsperre|not_subscribed)(_|$)/;
const optInHeading =
  /(^|_)(newsletter\w*|opt_?in|opted_in|doi|subscribed?|subscription|subscriber_status|abonniert|abonnent|angemeldet|anmeldung|einwilligung\w*|eingewilligt|werbeeinwilligung|zustimmung|zugestimmt|consent|permission|accepts_marketing|marketing|werbung|mailing|e_?mailing|dsgvo|gdpr)(_|$)/;
/** In a heading about consents, also within a compound such as “Newsletterabmeldung”: “yes” then means the opposite. */
const negation =
  /^(no|ohne|without)_|(^|_)(kein(e|en|er)?|nicht|not|never|dont|don_t)_|abmeld|abgemeld|abbestell|widersp|widerruf|untersag|verbot|sperr|ablehn|abgelehnt|unerwu|kundig|unsubscri|opt_?out|opted_out|declin|refus|revok|withdr|denied|reject|block|exclude|cancel/;

/**
 * @param heading  in lower case, its words separated by underscores
 * @returns what “yes” means if this is a column of consents, undefined otherwise
 */
export function guessConsentMeaning(heading: string, tally: ConsentTally): ConsentMeaning | undefined {
  const explicit = tally.subscribed + tally.unsubscribed;
  const answered = explicit + tally.yes + tally.no;
  const filled = answered + tally.unclear;
  if (answered === 0) return undefined;
  // A column such as “Status” is known by its cells alone.
  if (explicit >= 0.9 * filled) return 'subscribed';
  if (answered < 0.5 * filled) return undefined;
  if (optOutHeading.test(heading)) return 'unsubscribed';
  if (!optInHeading.test(heading)) return undefined;
  return negation.test(heading) ? 'unsubscribed' : 'subscribed';
}
