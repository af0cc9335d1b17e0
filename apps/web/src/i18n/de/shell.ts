import type { shell as en } from '#web/i18n/en/shell.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const shell: Translation<typeof en> = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  navigation: 'Hauptnavigation',
  breadcrumb: 'Navigationspfad',
  toggle: 'Navigation ein- oder ausklappen',
  setup: 'Einrichtung: {{done}} von {{total}}',
  switcher: 'Organisation {{name}}. Organisation wechseln',
  organizations: 'Organisationen',
  filterOrganizations: 'Organisation suchen',
  allOrganizations: 'Alle Organisationen',
  current: 'aktuell',
  client: {
    all: 'Alle Kunden',
    switch: 'Kunde: {{name}}. Kunden wechseln',
    find: 'Kunden suchen',
    pinned: 'Angeheftet',
    pin: '{{name}} anheften',
    unpin: '{{name}} nicht mehr anheften',
    none: 'Keine Kunden für „{{search}}“ gefunden.',
    more_one: '1 weiterer Kunde. Tippen Sie, um ihn zu finden.',
    more_other: '{{count, number}} weitere Kunden. Tippen Sie, um sie zu finden.',
  },
  palette: {
    short: 'Suchen',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    ctrl: 'Strg',
  },
  account: 'Ihr Konto, Sprache und Farbschema',
  signOutAnyway: 'Trotzdem abmelden',
  accountMenu: {
    profile: 'Ihr Profil',
    preferences: 'Persönliche Einstellungen',
    organizations: 'Organisationen',
    operator: 'Installation',
  },
};
