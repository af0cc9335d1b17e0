import type { Translation } from '#web/i18n/translation.ts';
import type { help as en } from '#web/i18n/en/help.ts';

export const help: Translation<typeof en> = {
  intro: 'Was Benutzer von Reachout fragen, und Seiten, die mehr erklären.',
  search: 'In der Hilfe suchen',
  noMatch: 'Nichts in der Hilfe passt zu „{{search}}“.',
  found_one: '{{count}} Treffer',
  found_other: '{{count}} Treffer',
  pages: 'Seiten',
  questions: 'Fragen',
  what: 'Die Hilfe',
  empty: {
    title: 'Noch keine Hilfe',
    body: 'Der Betreiber dieser Installation hat noch keine veröffentlicht.',
  },
  allPages: 'Alle Seiten der Hilfe',
  back: 'Zurück zur Hilfe',
  englishOnly: 'Diesen Text gibt es bisher nur auf Englisch.',
  signIn: 'Anmelden',
  legal: 'Rechtliche Angaben',
  panel: {
    close: 'Hilfe schließen',
    here: 'Zu dieser Ansicht',
    none: 'Zu dieser Ansicht gibt es noch nichts. Suchen Sie in der Hilfe, oder öffnen Sie die ganze Hilfe.',
    all: 'Ganze Hilfe öffnen',
    backToQuestions: 'Zurück zu den Fragen',
  },
};
