import type { palette as en } from '#web/i18n/en/palette.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const palette: Translation<typeof en> = {
  placeholder: 'Suchen oder gehen zu …',
  results: 'Ergebnisse',
  searching: 'Suche läuft …',
  count_one: '1 Ergebnis',
  count_other: '{{count, number}} Ergebnisse',
  cut: 'Je Art sind höchstens {{max, number}} aufgeführt.',
  none: 'Nichts gefunden für „{{query}}“.',
  unsearched_one: 'Die Kontakte 1 weiterer Sammlung sind nicht durchsucht.',
  unsearched_other: 'Die Kontakte von {{count, number}} weiteren Sammlungen sind nicht durchsucht.',
  failed: 'Einige Ergebnisse konnten nicht geladen werden.',
  switchTo: 'Zu {{name}} wechseln',
  theme: { dark: 'Dunkles Farbschema', light: 'Helles Farbschema' },
  language: { de: 'Sprache: Deutsch', en: 'Language: English' },
};
