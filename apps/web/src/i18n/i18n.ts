import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import type { en } from './en/all.ts';
import { entry as english } from './en/entry.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof en;
  }
}

type Texts = Record<string, object>;

/** Per language the texts of sign-in and the like, and those of the app, which come with its routes. */
const bundles: Record<Language, { entry: () => Promise<Texts>; app: () => Promise<Texts> }> = {
  en: {
    entry: () => Promise.resolve(english),
    app: () => import('./en/all.ts').then(({ en: texts }) => texts),
  },
  de: {
    entry: () => import('./de/entry.ts').then(({ entry }) => entry),
    app: () => import('./de/all.ts').then(({ de }) => de),
  },
};

/** Whether the app's texts are in use: then a change of language brings them, too. */
let inApp = false;

/** English for signing in is built in; everything else is fetched when it is wanted. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    ns: Object.keys(english),
    resources: { en: english },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('withinSentence', (value) => withinSentence(String(value)));
  const wanted = preferredLanguage();
  if (wanted === 'en') document.documentElement.lang = 'en';
  else await changeLanguage(wanted, false);
}

/** "The campaigns", as it starts a sentence, within one: "campaigns". */
const withinSentence = (what: string): string =>
  what.replace(/^(The|Der|Die|Das) /, '').replace(/^(Your|This) /, (word) => word.toLowerCase());

/** The texts of every screen behind sign-in, in the current language. Routes wait for it before they render. */
export async function loadAppTexts(): Promise<void> {
  inApp = true;
  await loadTexts(i18next.language as Language);
}

export async function changeLanguage(language: Language, remember = true): Promise<void> {
  await loadTexts(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  if (remember) writeLocal('language', language);
}

async function loadTexts(language: Language): Promise<void> {
  // A namespace that only the app has tells whether it is there already.
  if (i18next.hasResourceBundle(language, inApp ? 'shell' : 'common')) return;
  const texts = await bundles[language][inApp ? 'app' : 'entry']();
  for (const [namespace, words] of Object.entries(texts))
    i18next.addResourceBundle(language, namespace, words);
}

function preferredLanguage(): Language {
  const stored = readLocal('language');
  const candidates = stored ? [stored] : navigator.languages;
  for (const candidate of candidates) {
    const found = languages.find((language) => candidate.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return 'en';
}
