import type { dashboard as en } from '../en/dashboard.ts';
import type { Translation } from '../translation.ts';

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
  start: {
    title: 'Senden Sie Ihre erste E-Mail',
    body: 'Wenige Schritte bis zur gesendeten E-Mail. Jeder wird abgehakt, sobald er erledigt ist.',
    client: 'Kunde und Marke anlegen',
    contacts: 'Kontakte importieren',
    audience: 'Zielgruppe speichern',
    template: 'Vorlage schreiben',
    campaign: 'Kampagne und E-Mail anlegen',
    send: 'Prüfen und senden',
    done: 'erledigt',
  },
  sentOf: '{{sent}} von {{total}} gesendet',
};
