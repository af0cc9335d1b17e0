import type { shortcuts as en } from '#web/i18n/en/shortcuts.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const shortcuts: Translation<typeof en> = {
  off: 'Tastenkürzel mit einer Taste sind ausgeschaltet. Sie können sie in den persönlichen Einstellungen einschalten.',
  goTo: 'Gehe zu',
  lists: 'In Listen',
  everywhere: 'Überall',
  search: 'Suchen',
  filter: 'Einträge filtern',
  create: 'Neu anlegen',
  rows: 'Nächste oder vorige Zeile',
  open: 'Zeile öffnen',
  select: 'Zeile auswählen',
  client: 'Kunden wechseln',
  save: 'Speichern',
  confirm: 'Formular absenden',
  palette: 'Seiten, Einträge und Aktionen suchen',
  sidebar: 'Navigation ein- oder ausklappen',
  close: 'Schließen',
  help: 'Diese Tastenkürzel anzeigen',
};
