import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import type { en } from './en/all.ts';
import { common } from './en/common.ts';
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

/** The words that all screens share, those of sign-in, of the dashboard, of the other screens, and of some of these. */
type Part = 'common' | 'auth' | 'app' | 'pages' | 'brand' | 'contacts' | 'settings' | 'sends' | 'statistics';

const bundles: Record<Language, Record<Part, () => Promise<Texts>>> = {
  en: {
    common: () => Promise.resolve({ common }),
    auth: () => import('./en/auth.ts'),
    app: () => import('./en/app.ts').then(({ app }) => app),
    pages: () => import('./en/pages.ts').then(({ pages }) => pages),
    brand: () => import('./en/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./en/contacts.ts').then(({ contacts }) => contacts),
    settings: () =>
      import('./en/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    sends: () => import('./en/send-texts.ts').then(({ sendTexts }) => sendTexts),
    statistics: () => import('./en/statistics.ts'),
  },
  de: {
    common: () => import('./de/common.ts'),
    auth: () => import('./de/auth.ts'),
    app: () => import('./de/app.ts').then(({ app }) => app),
    pages: () => import('./de/pages.ts').then(({ pages }) => pages),
    brand: () => import('./de/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./de/contacts.ts').then(({ contacts }) => contacts),
    settings: () =>
      import('./de/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    sends: () => import('./de/send-texts.ts').then(({ sendTexts }) => sendTexts),
    statistics: () => import('./de/statistics.ts'),
  },
};

/** A namespace of each part that no other part has: tells whether the part is there already. */
const namespaceOf: Record<Part, string> = {
  common: 'common',
  auth: 'auth',
  app: 'shell',
  pages: 'touchpoints',
  brand: 'brandKit',
  contacts: 'collections',
  settings: 'settings',
  sends: 'sends',
  statistics: 'statistics',
};

/** The parts in use: a change of language brings them, too. */
let partsInUse: Part[] = ['common'];

/** The shared words are built in, in English; everything else is fetched when it is wanted. */
export async function startI18n(): Promise<void> {
  await i18next
    .use(initReactI18next)
    .use(formatter)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      defaultNS: 'common',
      ns: ['common'],
      resources: { en: { common } },
      interpolation,
      returnNull: false,
      // A text whose part was not loaded shows itself, to tests above all.
      appendNamespaceToMissingKey: true,
    });
  const wanted = preferredLanguage();
  if (wanted === 'en') document.documentElement.lang = 'en';
  else await changeLanguage(wanted, false);
}

/** The texts of sign-in and the like. Routes wait for their texts before they render. */
export const loadAuthTexts = (): Promise<void> => loadParts(['auth']);

/** Those of the frame behind sign-in and of the dashboard. */
export const loadAppTexts = (): Promise<void> => loadParts(['app']);

/** Those of the other screens behind sign-in. */
export const loadPageTexts = (): Promise<void> => loadParts(['app', 'pages']);

/** Those of invitations, which people open who have no account yet. */
export const loadInvitationTexts = (): Promise<void> => loadParts(['auth', 'app', 'pages']);

/** Those of the kit of a brand. */
export const loadBrandTexts = (): Promise<void> => loadParts(['app', 'pages', 'brand']);

/** Those of collections and contacts. */
export const loadContactTexts = (): Promise<void> => loadParts(['app', 'pages', 'contacts']);

/** Those of settings, of the own account and of the onboarding. */
export const loadSettingsTexts = (): Promise<void> => loadParts(['auth', 'app', 'pages', 'settings']);

/** Those of sends, which the dashboard shows while they are under way. */
export const loadSendTexts = (): Promise<void> => loadParts(['app', 'sends']);

/** Those of the pages of a touchpoint. */
export const loadTouchpointTexts = (): Promise<void> => loadParts(['app', 'pages', 'sends', 'statistics']);

async function loadParts(parts: Part[]): Promise<void> {
  partsInUse = [...new Set([...partsInUse, ...parts])];
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
