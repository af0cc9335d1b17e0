import type { shell as en } from '#web/i18n/en/shell.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const shell: Translation<typeof en> = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  navigation: 'Hauptnavigation',
  breadcrumb: 'Sie sind hier',
  toggle: 'Navigation schmal oder breit',
  entries: {
    dashboard: 'Übersicht',
    clients: 'Kunden',
    campaigns: 'Kampagnen',
    touchpoints: 'Touchpoints',
    templates: 'Vorlagen',
    audiences: 'Zielgruppen',
    collections: 'Sammlungen',
    mailbox: 'Postfach',
    settings: 'Einstellungen',
  },
  switcher: 'Organisation {{name}}. Organisation wechseln',
  organizations: 'Organisationen',
  filterOrganizations: 'Organisation suchen',
  allOrganizations: 'Alle Organisationen, auch neue',
  current: 'aktuell',
  account: 'Ihr Konto, Sprache und Farbschema',
  theme: 'Farbschema',
  system: 'System',
  signOut: 'Abmelden',
  signOutAnyway: 'Abmelden und verwerfen',
  places: {
    profile: 'Ihr Profil',
    preferences: 'Persönliche Einstellungen',
    organizations: 'Organisationen',
  },
};
