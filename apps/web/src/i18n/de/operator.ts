import type { operator as en } from '#web/i18n/en/operator.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const operator: Translation<typeof en> = {
  navigation: 'Installation',
  entries: { jobs: 'Hintergrundaufgaben', organizations: 'Organisationen', users: 'Benutzer', help: 'Hilfe' },
  denied:
    'Nur Betreiber dieser Installation können diese Seite öffnen. Ihre E-Mail-Adressen stehen in der Einstellung OPERATORS.',
  members: 'Mitglieder',
  change: 'Status ändern',
  changed: 'Status geändert',
  reasonHint: 'Die Betroffenen erhalten ihn per E-Mail.',
  reasonNeeded: 'Geben Sie einen Grund an.',
  organizations: {
    title: 'Organisationen',
    intro: 'Alle Organisationen dieser Installation, die neuesten zuerst.',
    empty: { body: 'Bisher hat niemand eine angelegt.' },
    hints: {
      active: 'Lässt sich ohne Einschränkung verwenden. Angehaltener Versand geht weiter.',
      suspended: 'Kann gelesen, aber nicht geändert werden. Es wird nichts gesendet.',
      inactive: 'Niemand kann sie öffnen. Es wird nichts gesendet, und ihre Websites werden nicht gemessen.',
    },
  },
  users: {
    title: 'Benutzer',
    intro: 'Alle Benutzer dieser Installation, die neuesten zuerst.',
    search: 'Namen und Adressen suchen',
    empty: { body: 'Bisher hat sich niemand registriert.' },
    hints: {
      active: 'Kann sich anmelden.',
      suspended:
        'Ist überall abgemeldet und kann sich nicht anmelden. API-Schlüssel des Benutzers gelten nicht mehr.',
    },
  },
};
