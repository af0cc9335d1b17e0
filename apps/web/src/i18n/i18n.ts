import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLocal, writeLocal } from '../platform/local.ts';
import { en } from './en/all.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof en;
  }
}

/** English is built in; German is fetched when it is wanted. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    ns: Object.keys(en),
    resources: { en },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  const wanted = preferredLanguage();
  if (wanted === 'en') document.documentElement.lang = 'en';
  else await changeLanguage(wanted, false);
}

export async function changeLanguage(language: Language, remember = true): Promise<void> {
  if (language === 'de' && !i18next.hasResourceBundle('de', 'common')) {
    const { de } = await import('./de/all.ts');
    for (const [namespace, texts] of Object.entries(de)) i18next.addResourceBundle('de', namespace, texts);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  if (remember) writeLocal('language', language);
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
