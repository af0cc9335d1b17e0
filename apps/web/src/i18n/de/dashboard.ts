import type { dashboard as en } from '#web/i18n/en/dashboard.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const dashboard: Translation<typeof en> = {
  title: 'Übersicht',
  recentCampaigns: 'Letzte Kampagnen',
  recentTouchpoints: 'Letzte Touchpoints',
  recentSends: 'Letzte Sendungen',
  running: 'Wird gerade gesendet',
  noCampaigns: 'Hier erscheinen die Kampagnen, an denen Sie arbeiten.',
  noTouchpoints: 'Hier erscheinen die neuesten E-Mails.',
  noSends: 'Es wurde noch nichts gesendet.',
  all: 'Alle anzeigen',
  setup: {
    title: 'Alles für die erste Sendung',
    progress: '{{done}} von {{total}} erledigt. Jeder Schritt wird abgehakt, sobald er erledigt ist.',
    hide: 'Ausblenden',
    show: 'Zeigen, was noch einzurichten ist',
    done: 'erledigt',
    tasks: {
      profile: {
        name: 'Organisation vervollständigen',
        why: 'Größe und Land, für Rechnungen und Impressum. 1 Minute.',
      },
      team: { name: 'Team einladen', why: 'Kollegen und Kunden sehen, was Sie ihnen zeigen. 2 Minuten.' },
      brand: {
        name: 'Kunde und Marke anlegen',
        why: 'Jede Kampagne wird im Namen einer Marke gesendet. 1 Minute.',
      },
      contacts: { name: 'Kontakte importieren', why: 'Eine CSV-Datei genügt. 5 Minuten.' },
      audience: {
        name: 'Zielgruppe speichern',
        why: 'Die Menschen, an die eine E-Mail geht, nach Regeln ausgewählt. 3 Minuten.',
      },
      touchpoint: {
        name: 'Erste E-Mail senden',
        why: 'Mit Vorlage, Vorschau und Prüfung vor dem Senden. 10 Minuten.',
      },
    },
  },
  sentOf: '{{sent}} von {{total}} gesendet',
};
