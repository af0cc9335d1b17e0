import type { setup as en } from '#web/i18n/en/setup.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const setup: Translation<typeof en> = {
  title: 'Bereit für den ersten Versand',
  progress: '{{done}} von {{total}} erledigt',
  hide: 'Ausblenden',
  show: 'Checkliste anzeigen',
  done: 'erledigt',
  tasks: {
    profile: {
      name: 'Organisation vervollständigen',
      why: 'Größe und Land, für Rechnungen und Pflichtangaben. 1 Minute.',
    },
    team: {
      name: 'Team einladen',
      why: 'Kollegen und Kunden sehen nur, was ihre Rolle erlaubt. 2 Minuten.',
    },
    brand: {
      name: 'Kunde und Marke anlegen',
      why: 'Jede Kampagne gehört zu einer Marke. 1 Minute.',
    },
    contacts: {
      name: 'Kontakte importieren',
      why: 'Eine CSV-Datei genügt. 5 Minuten.',
      whyDirectus: 'In eine Sammlung von Kontakten Ihres Directus. 5 Minuten.',
    },
    audience: {
      name: 'Zielgruppe speichern',
      why: 'Legen Sie per Regel fest, wer eine E-Mail erhält. 3 Minuten.',
    },
    touchpoint: {
      name: 'Erste E-Mail senden',
      why: 'Mit Vorlage, Vorschau und abschließender Prüfung. 10 Minuten.',
    },
  },
};
