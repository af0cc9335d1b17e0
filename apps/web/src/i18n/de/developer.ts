import type { developer as en } from '#web/i18n/en/developer.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const developer: Translation<typeof en> = {
  queries: 'Abfragen',
  requests: 'Anfragen',
  states: 'Erzwungene Zustände',
  key: 'Schlüssel',
  age: 'Alter',
  observers: 'Beobachter',
  invalidate: 'Neu laden',
  duration: 'Dauer',
  id: 'ID der Anfrage',
  at: 'Zeit',
  noRequests: 'Noch keine Anfragen.',
  statesHint:
    'Antworten werden nur in diesem Tab geändert, bis Sie ihn neu laden oder die Organisation verlassen. Nur auf diesem Rechner.',
  operation: 'Operation',
  everything: 'Alle Operationen außer denen des Rahmens',
  onPage: 'Auf dieser Seite',
  others: 'Weitere',
  force: 'Erzwingen',
  clear: 'Alle aufheben',
  remove: '{{name}} aufheben',
  state: {
    empty: 'Leer',
    error: 'Fehler 500',
    denied: 'Verweigert 403',
    slow: 'Langsam (2 s)',
  },
  active_one: '{{count}} erzwungener Zustand',
  active_other: '{{count}} erzwungene Zustände',
};
