import { languages, type Language } from '@reachout/contract/rules/languages.ts';

type Values = Readonly<Record<string, string>>;
/** The texts of a page in each language. */
export type PageTexts<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

/** Texts that several pages have. */
export const commonTexts = {
  en: {
    addressLine: 'Address: {address}',
    measured: '{brand} may measure whether you open emails and follow links.',
    checkInboxTitle: 'Please check your inbox',
    unknownTitle: 'This link doesn’t work',
    unknown:
      'The link may be incomplete. Open the email again and use the link at the bottom, or reply to the sender.',
    nowhereTitle: 'Page not found',
    nowhere: 'The link may be incomplete or altered. Open the email again and use the link there.',
    awayTitle: 'Please try again in a moment',
    away: 'We are temporarily unavailable. Nothing was changed.',
    oftenTitle: 'Too many changes',
    often:
      'Nothing was changed. Please try again later. To unsubscribe, use the unsubscribe link in the email: it always works.',
    imprint: 'Imprint',
    otherLanguage: 'Deutsch',
  },
  de: {
    addressLine: 'Adresse: {address}',
    measured: '{brand} darf messen, ob Sie E-Mails öffnen und Links folgen.',
    checkInboxTitle: 'Bitte sehen Sie in Ihr Postfach',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown:
      'Der Link ist möglicherweise unvollständig. Öffnen Sie die E-Mail erneut und verwenden Sie den Link am Ende, oder antworten Sie dem Absender.',
    nowhereTitle: 'Seite nicht gefunden',
    nowhere:
      'Der Link ist möglicherweise unvollständig oder verändert. Öffnen Sie die E-Mail erneut und verwenden Sie den Link dort.',
    awayTitle: 'Bitte versuchen Sie es gleich noch einmal',
    away: 'Der Dienst ist vorübergehend nicht erreichbar. Es wurde nichts geändert.',
    oftenTitle: 'Zu viele Änderungen',
    often:
      'Es wurde nichts geändert. Bitte versuchen Sie es später erneut. Zum Abmelden verwenden Sie den Abmeldelink in der E-Mail: Er funktioniert immer.',
    imprint: 'Impressum',
    otherLanguage: 'English',
  },
} as const satisfies PageTexts<string>;
type CommonKey = keyof (typeof commonTexts)['en'];

/**
 * The texts of a page in a language; those that several pages have stand behind them.
 * @param values  of the `{placeholders}` of all texts
 */
export function textsIn<Key extends string>(texts: PageTexts<Key>, language: Language, values: Values = {}) {
  const all: Readonly<Record<Key | CommonKey, string>> = { ...commonTexts[language], ...texts[language] };
  return (key: Key | CommonKey, more: Values = {}): string => {
    const known = { ...values, ...more };
    return all[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
  };
}

/**
 * Chooses the language of `?lang`, else that of the contact, else the first supported one in Accept-Language, else English.
 * @param ofContact  the contact's language as entered: BCP 47 or any text
 */
export function chooseLanguage(
  lang: unknown,
  acceptLanguage: string | undefined,
  ofContact: string | null = null,
): Language {
  const isKnown = (code: string): code is Language => languages.some((language) => language === code);
  if (typeof lang === 'string' && isKnown(lang)) return lang;
  const primary = ofContact?.slice(0, 35).trim().toLowerCase().split(/[-_]/)[0] ?? '';
  if (isKnown(primary)) return primary;
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = /^\s*q=([\d.]+)/.exec(parameters.join(';'))?.[1];
      return { code: range.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    // The sort is stable: equal weights keep their order.
    .toSorted((one, other) => other.quality - one.quality);
  return wanted.map(({ code }) => code).find(isKnown) ?? 'en';
}
