import type { shares as en } from '#web/i18n/en/shares.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const shares: Translation<typeof en> = {
  title: 'Freigaben',
  note: 'Links, mit denen Personen ohne Konto einen einzelnen Eintrag lesen.',
  share: 'Freigeben',
  ofItem: '„{{name}}“ freigeben',
  intro: 'Alle, die einen Link haben, lesen diesen Eintrag ohne Anmeldung, bis der Link endet.',
  newLink: 'Neuer Link',
  linksOf: 'Links zu diesem Eintrag',
  noLinks: 'Zu diesem Eintrag gibt es noch keine Links.',
  empty: {
    title: 'Nichts ist freigegeben',
    body: 'Geben Sie einen Eintrag in seiner Liste frei: Weitere Aktionen, dann Freigeben.',
  },
  directus: {
    title: 'Freigaben sind in Ihrem Directus',
    body: 'Geben Sie Einträge dort frei. Freigaben des eingebauten Content-Backends sind ausgeblendet und bleiben unverändert.',
  },
  nameHint: 'Wer den Link öffnet, sieht ihn über dem Eintrag.',
  role: 'Rolle der Leser',
  roleHint:
    'Leser sehen, was diese Rolle sehen darf. Zur Wahl stehen Rollen, die alle Inhalte lesen und die Organisation nicht verwalten.',
  password: 'Passwort',
  passwordHint: 'Senden Sie es auf einem anderen Weg als den Link.',
  start: 'Offen ab',
  end: 'Offen bis',
  endBeforeStart: 'Wählen Sie einen Zeitpunkt nach dem Beginn.',
  maxUses: 'Wie oft der Link geöffnet werden kann',
  maxUsesHint: 'Leer bedeutet beliebig viele.',
  stop: 'Freigabe beenden',
  stopTitle: 'Die Freigabe „{{name}}“ beenden?',
  stopBody:
    'Der Link zeigt dann nichts mehr. Sie können den Eintrag erneut freigeben, mit einem anderen Link.',
  stopped: 'Freigabe beendet',
  by: 'Von',
  state: {
    label: 'Zustand',
    open: 'Offen',
    until: 'Offen bis {{time}}',
    from: 'Offen ab {{time}}',
    ended: 'Beendet',
    usedUp: 'So oft geöffnet wie erlaubt',
  },
  hasPassword: 'Ja',
  noPassword: 'Nein',
  openings: 'Öffnungen',
  openingsOf: '{{used}} von {{max}}',
  unnamed: 'Freigabe ohne Namen',
  page: {
    title: 'Freigegebener Eintrag',
    what: 'Der freigegebene Eintrag',
    enterPassword:
      'Dieser Eintrag ist durch ein Passwort geschützt. Fragen Sie die Person danach, die Ihnen den Link gesendet hat.',
    isLimited: 'Dieser Link kann nur begrenzt oft geöffnet werden. Wenn Sie ihn jetzt öffnen, zählt das.',
    open: 'Öffnen',
    refused: 'Das Passwort ist falsch, oder der Link funktioniert nicht mehr.',
    closedTitle: 'Dieser Link funktioniert nicht',
    closed:
      'Vielleicht ist er beendet, wurde zu oft geöffnet oder ist unvollständig. Fragen Sie die Person, die ihn Ihnen gesendet hat.',
    noValues: 'Dieser Eintrag hat keine Werte.',
  },
};
