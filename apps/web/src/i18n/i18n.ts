import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import type { en } from './en/all.ts';
import { entry as english } from './en/entry.ts';
import { formatter, interpolation } from './formatter.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof en;
  }
}

type Texts = Record<string, object>;

/** The texts of sign-in and the like, those of the app, and those that only some of its screens need. */
type Part = 'entry' | 'app' | 'brand' | 'contacts' | 'settings' | 'touchpoint';

const bundles: Record<Language, Record<Part, () => Promise<Texts>>> = {
  en: {
    entry: () => Promise.resolve(english),
    app: () => import('./en/app.ts').then(({ app }) => app),
    brand: () => import('./en/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./en/contacts.ts').then(({ contacts }) => contacts),
    settings: () =>
      import('./en/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    touchpoint: () => import('./en/touchpoint-pages.ts').then(({ touchpointPages }) => touchpointPages),
  },
  de: {
    entry: () => import('./de/entry.ts').then(({ entry }) => entry),
    app: () => import('./de/app.ts').then(({ app }) => app),
    brand: () => import('./de/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./de/contacts.ts').then(({ contacts }) => contacts),
    settings: () =>
      import('./de/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    touchpoint: () => import('./de/touchpoint-pages.ts').then(({ touchpointPages }) => touchpointPages),
  },
};

/** A namespace of each part that no smaller part has: tells whether the part is there already. */
const namespaceOf: Record<Part, string> = {
  entry: 'common',
  app: 'shell',
  brand: 'brandKit',
  contacts: 'collections',
  settings: 'settings',
  touchpoint: 'sends',
};

/** The parts in use: a change of language brings them, too. The app's contain those of the entry. */
let partsInUse: Part[] = ['entry'];

/** English for signing in is built in; everything else is fetched when it is wanted. */
export async function startI18n(): Promise<void> {
  await i18next
    .use(initReactI18next)
    .use(formatter)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      defaultNS: 'common',
      ns: Object.keys(english),
      resources: { en: english },
      interpolation,
      returnNull: false,
    });
  const wanted = preferredLanguage();
  if (wanted === 'en') document.documentElement.lang = 'en';
  else await changeLanguage(wanted, false);
}

/** The texts of the screens behind sign-in, in the current language. Routes wait for it before they render. */
export const loadAppTexts = (): Promise<void> => loadParts(['app']);

/** Those of the kit of a brand besides. */
export const loadBrandTexts = (): Promise<void> => loadParts(['app', 'brand']);

/** Those of collections and contacts besides. */
export const loadContactTexts = (): Promise<void> => loadParts(['app', 'contacts']);

/** Those of settings, of the own account and of the onboarding besides. */
export const loadSettingsTexts = (): Promise<void> => loadParts(['app', 'settings']);

/** Those of the pages of a touchpoint besides. */
export const loadTouchpointTexts = (): Promise<void> => loadParts(['app', 'touchpoint']);

async function loadParts(parts: Part[]): Promise<void> {
  partsInUse = [...new Set([...partsInUse, ...parts])].filter((part) => part !== 'entry');
  let language: Language;
  // Preferences that arrive meanwhile may change it.
  do {
    language = i18next.language as Language;
    await loadTexts(language);
  } while (language !== i18next.language);
}

export async function changeLanguage(language: Language, remember = true): Promise<void> {
  await loadTexts(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  if (remember) writeLocal('language', language);
}

/** Loads the parts in use, also those that a route wants while the others are on their way. */
async function loadTexts(language: Language): Promise<void> {
  const listMissing = () =>
    partsInUse.filter((part) => !i18next.hasResourceBundle(language, namespaceOf[part]));
  for (let missing = listMissing(); missing.length > 0; missing = listMissing())
    for (const texts of await Promise.all(missing.map((part) => bundles[language][part]())))
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
