import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import type { en } from './en/all.ts';
import { common } from './en/common.ts';
import { formatter, interpolation } from './formatter.ts';

/** Each in its own language, for those who look for it. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    fallbackNS: 'common';
    resources: typeof en;
  }
}

type Texts = Record<string, object>;

/** Text bundles: those shared by all screens, of sign-in, of the dashboard, of the other screens, and of some of these. */
type Part =
  | 'common'
  | 'auth'
  | 'app'
  | 'pages'
  | 'brand'
  | 'contacts'
  | 'conversions'
  | 'domains'
  | 'eventGraph'
  | 'help'
  | 'settings'
  | 'sends'
  | 'sendErrors'
  | 'schedules'
  | 'setup'
  | 'signUpForms'
  | 'statistics'
  | 'transports'
  | 'websites';

const bundles: Record<Language, Record<Part, () => Promise<Texts>>> = {
  en: {
    common: () => Promise.resolve({ common }),
    auth: () => import('./en/auth.ts'),
    app: () => import('./en/app.ts').then(({ app }) => app),
    pages: () => import('./en/pages.ts').then(({ pages }) => pages),
    brand: () => import('./en/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./en/contacts.ts').then(({ contacts }) => contacts),
    conversions: () => import('./en/conversions.ts'),
    domains: () => import('./en/domains.ts'),
    eventGraph: () => import('./en/event-graph.ts'),
    help: () => import('./en/help.ts'),
    settings: () =>
      import('./en/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    sends: () => import('./en/sends.ts'),
    sendErrors: () => import('./en/send-errors.ts'),
    schedules: () => import('./en/schedules.ts'),
    setup: () => import('./en/setup.ts'),
    signUpForms: () => import('./en/sign-up-forms.ts'),
    statistics: () => import('./en/statistics.ts'),
    transports: () => import('./en/transports.ts'),
    websites: () => import('./en/websites.ts'),
  },
  de: {
    common: () => import('./de/common.ts'),
    auth: () => import('./de/auth.ts'),
    app: () => import('./de/app.ts').then(({ app }) => app),
    pages: () => import('./de/pages.ts').then(({ pages }) => pages),
    brand: () => import('./de/brand-kit.ts').then(({ brandPages }) => brandPages),
    contacts: () => import('./de/contacts.ts').then(({ contacts }) => contacts),
    conversions: () => import('./de/conversions.ts'),
    domains: () => import('./de/domains.ts'),
    eventGraph: () => import('./de/event-graph.ts'),
    help: () => import('./de/help.ts'),
    settings: () =>
      import('./de/settings-and-account.ts').then(({ settingsAndAccount }) => settingsAndAccount),
    sends: () => import('./de/sends.ts'),
    sendErrors: () => import('./de/send-errors.ts'),
    schedules: () => import('./de/schedules.ts'),
    setup: () => import('./de/setup.ts'),
    signUpForms: () => import('./de/sign-up-forms.ts'),
    statistics: () => import('./de/statistics.ts'),
    transports: () => import('./de/transports.ts'),
    websites: () => import('./de/websites.ts'),
  },
};

/** The parts in use, which are also loaded when the language changes. */
let partsInUse: Part[] = ['common'];

/** The shared English texts are built in; all others are loaded on demand. */
export async function startI18n(): Promise<void> {
  await i18next
    .use(initReactI18next)
    .use(formatter)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      defaultNS: 'common',
      ns: ['common'],
      // Shared words have no prefix, wherever they are used.
      fallbackNS: 'common',
      resources: { en: { common: { ...common } } },
      interpolation,
      returnNull: false,
      // Makes a text whose part was not loaded visible, above all in tests.
      appendNamespaceToMissingKey: true,
    });
  const wanted = preferredLanguage();
  if (wanted === 'en') document.documentElement.lang = 'en';
  else await changeLanguage(wanted, false);
}

/** The texts of the sign-in pages. Routes wait for their texts before they render. */
export const loadAuthTexts = (): Promise<void> => loadParts(['auth']);

/** The texts of the frame behind sign-in and of the dashboard. */
export const loadAppTexts = (): Promise<void> => loadParts(['app']);

/** The texts of the other screens behind sign-in. */
export const loadPageTexts = (): Promise<void> => loadParts(['app', 'pages']);

/** The texts of invitations, which users open before they have an account. */
export const loadInvitationTexts = (): Promise<void> => loadParts(['auth', 'app', 'pages']);

/** The texts of the brand kit. */
export const loadBrandTexts = (): Promise<void> => loadParts(['app', 'pages', 'brand']);

/** The texts of collections and contacts. */
export const loadContactTexts = (): Promise<void> => loadParts(['app', 'pages', 'contacts']);

/** The texts of sending domains. */
export const loadDomainTexts = (): Promise<void> => loadParts(['app', 'pages', 'domains']);

/** The texts of the event graph. */
export const loadEventGraphTexts = (): Promise<void> => loadParts(['app', 'pages', 'eventGraph']);

/** The texts of the help, which everybody can read, with those of the frame around it. */
export const loadHelpTexts = (): Promise<void> => loadParts(['app', 'help']);

/** The texts of settings, account and onboarding. */
export const loadSettingsTexts = (): Promise<void> =>
  loadParts(['auth', 'app', 'pages', 'settings', 'setup']);

/** The texts of the checklist before the first send, in addition to those of the dashboard. */
export const loadSetupTexts = (): Promise<void> => loadParts(['setup']);

/** The texts of sends, which the dashboard shows while they are in progress. */
export const loadSendTexts = (): Promise<void> => loadParts(['app', 'sends']);

/** With the messages of the send engine: why a send needs attention. */
export const loadSendErrorTexts = (): Promise<void> => loadParts(['app', 'sends', 'sendErrors']);

/** The texts of schedules and the calendar, in addition to those of the page. */
export const loadScheduleTexts = (): Promise<void> => loadParts(['sends', 'sendErrors', 'schedules']);

/** The texts of sign-up forms. */
export const loadSignUpFormTexts = (): Promise<void> => loadParts(['app', 'pages', 'signUpForms']);

/** The texts of the touchpoint pages, without their statistics. */
export const loadTouchpointTexts = (): Promise<void> => loadParts(['app', 'pages', 'sends', 'sendErrors']);

/** The texts of the results of emails. */
export const loadResultTexts = (): Promise<void> =>
  loadParts(['app', 'pages', 'sends', 'sendErrors', 'statistics']);

/** The texts of transports, in addition to those of the page. */
export const loadTransportTexts = (): Promise<void> => loadParts(['transports']);

/** The texts of websites, in addition to those of the touchpoint pages. */
export const loadWebsiteTexts = (): Promise<void> => loadParts(['websites', 'conversions']);

/** The texts of conversions, in addition to those of the page. */
export const loadConversionTexts = (): Promise<void> => loadParts(['conversions', 'statistics']);

async function loadParts(parts: Part[]): Promise<void> {
  partsInUse = [...new Set([...partsInUse, ...parts])];
  let language: Language;
  // Preferences that are loaded meanwhile may change the language.
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

/** The parts that are loaded, each with its language: `en sends`. */
const loaded = new Set<string>();

/** Loads the parts in use, including those that a route requests during the loading. */
async function loadTexts(language: Language): Promise<void> {
  const nameOf = (part: Part) => `${language} ${part}`;
  const listMissing = () => partsInUse.filter((part) => !loaded.has(nameOf(part)));
  for (let missing = listMissing(); missing.length > 0; missing = listMissing()) {
    for (const texts of await Promise.all(missing.map((part) => bundles[language][part]())))
      for (const [namespace, words] of Object.entries(texts))
        i18next.addResourceBundle(language, namespace, words, true);
    for (const part of missing) loaded.add(nameOf(part));
  }
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
