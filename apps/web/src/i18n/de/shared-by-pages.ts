import type { sharedByPages as en } from '#web/i18n/en/shared-by-pages.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sharedByPages: Translation<typeof en> = {
  pagination: {
    previous: 'Zurück',
    next: 'Weiter',
    page: 'Seite {{page}}',
    of: 'Seite {{page}} von {{total}}',
  },
  records: {
    what: '{{records}}',
    search: '{{records}} suchen',
    noMatch: 'Keine {{records}} für diese Filter gefunden.',
    noMatchSearch: 'Keine {{records}} für „{{search}}“ gefunden.',
    empty: { title: 'Noch keine {{records}}' },
    deleteTitle: '„{{name}}“ endgültig löschen?',
  },
  owner: {
    label: 'Gehört zu',
    hint: 'Nur dessen Marken können es verwenden. Was allen Kunden gehört, teilen sich alle.',
    shared: 'Alle Kunden',
    ofClient: '{{name}} (alle Marken)',
    change: 'Name und Zugehörigkeit',
  },
  image: {
    choose: 'Bild auswählen',
    replace: 'Anderes auswählen',
    rule: 'PNG, JPEG, WebP oder GIF, bis {{megabytes}} MB.',
  },
};
