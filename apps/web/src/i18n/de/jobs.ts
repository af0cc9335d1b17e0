import type { jobs as en } from '#web/i18n/en/jobs.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const jobs: Translation<typeof en> = {
  title: 'Hintergrundaufgaben',
  intro: 'Wartende, laufende und fehlgeschlagene Aufgaben aller Organisationen dieser Installation.',
  what: 'Die Aufgaben',
  kind: 'Art',
  anyKind: 'Alle Arten',
  state: 'Status',
  anyState: 'Offen und fehlgeschlagen',
  open: 'Offen',
  failed: 'Fehlgeschlagen',
  organization: 'Organisation',
  installation: 'Diese Installation',
  attempts: 'Versuche',
  due: 'Fällig',
  error: 'Letzter Fehler',
  kinds: {
    account_email: 'Konto-E-Mail',
    field_removal: 'Werte eines gelöschten Feldes',
    import: 'CSV-Import',
    import_file: 'Datei eines fehlgeschlagenen Imports',
    mirror: 'Synchronisierung mit dem Content-Backend',
    mirror_check: 'Suche nach nicht synchronisierten Einträgen',
    recipient_domains: 'E-Mail-Anbieter der Empfänger',
    retention: 'Datenlöschung',
    search_index: 'Suchindex der Kontakte',
    send_check: 'Versandprüfung',
  },
  figures: {
    label: 'Aufgaben nach Art',
    running: 'Laufend',
    waitingSince: 'Am längsten fällig',
    none: 'Keine',
  },
  actionsOf: '{{kind}}, {{organization}}',
  retry: 'Erneut versuchen',
  retried: 'Die Aufgabe wird erneut versucht',
  noMatch: 'Keine Aufgaben für diese Filter gefunden.',
  empty: { title: 'Keine offenen oder fehlgeschlagenen Aufgaben', body: 'Alles ist erledigt.' },
  denied:
    'Nur Betreiber dieser Installation sehen ihre Aufgaben. Ihre E-Mail-Adressen stehen in der Einstellung OPERATORS.',
};
