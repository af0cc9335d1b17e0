import type { shell as en } from '#web/i18n/en/shell.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const shell: Translation<typeof en> = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  navigation: 'Hauptnavigation',
  breadcrumb: 'Navigationspfad',
  toggle: 'Navigation ein- oder ausklappen',
  entries: {
    dashboard: 'Übersicht',
    clients: 'Kunden',
    campaigns: 'Kampagnen',
    touchpoints: 'Touchpoints',
    templates: 'Vorlagen',
    audiences: 'Zielgruppen',
    collections: 'Sammlungen',
    mailbox: 'Testpostfach',
    settings: 'Einstellungen',
  },
  switcher: 'Organisation {{name}}. Organisation wechseln',
  organizations: 'Organisationen',
  filterOrganizations: 'Organisation suchen',
  allOrganizations: 'Alle Organisationen',
  current: 'aktuell',
  account: 'Ihr Konto, Sprache und Farbschema',
  theme: 'Farbschema',
  system: 'System',
  signOut: 'Abmelden',
  signOutAnyway: 'Trotzdem abmelden',
  accountMenu: {
    profile: 'Ihr Profil',
    preferences: 'Persönliche Einstellungen',
    organizations: 'Organisationen',
    jobs: 'Hintergrundaufgaben',
  },
};
