import type { sharedByPages as en } from '#web/i18n/en/shared-by-pages.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sharedByPages: Translation<typeof en> = {
  pagination: {
    label: 'Seiten',
    previous: 'Zurück',
    next: 'Weiter',
    page: 'Seite {{page}}',
    of: 'Seite {{page}} von {{total}}',
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
    remove: 'Entfernen',
    rule: 'PNG, JPEG, WebP oder GIF, bis {{megabytes}} MB.',
  },
};
