import type { campaigns as en } from '#web/i18n/en/campaigns.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const campaigns: Translation<typeof en> = {
  title: 'Kampagnen',
  what: 'Kampagnen',
  whatOne: 'Kampagne',
  search: 'Kampagnen suchen',
  new: 'Kampagne anlegen',
  name: 'Kampagnenname',
  brand: 'Marke',
  brandHint: 'Alles in dieser Kampagne wird für diese Marke gesendet.',
  brandMissing: 'Wählen Sie eine Marke.',
  touchpoints: 'Touchpoints',
  updated: 'Zuletzt geändert',
  views: { all: 'Alle', draft: 'Entwürfe', scheduled: 'Geplant', archived: 'Archiviert' },
  empty: {
    title: 'Noch keine Kampagnen',
    body: 'Eine Kampagne bündelt E-Mails und Websites mit einem gemeinsamen Ziel. Beginnen Sie mit Name und Marke.',
    reader: 'Hier erscheinen Kampagnen mit ihren Touchpoints und Ergebnissen, sobald sie angelegt sind.',
  },
  noMatch: 'Keine Kampagnen für diese Filter gefunden.',
  noMatchSearch: 'Keine Kampagnen für „{{search}}“ gefunden.',
  created: 'Kampagne angelegt',
  rename: 'Kampagne umbenennen',
  renamed: 'Umbenannt',
  archived: 'Archiviert',
  archiveLater: 'Nicht, solange noch etwas zu senden ist',
  unarchived: 'Aus dem Archiv geholt',
  deletedHere: 'Kampagne „{{name}}“ gelöscht.',
  addTouchpoint: 'Touchpoint anlegen',
  emptyTouchpoints: {
    title: 'Noch keine Touchpoints in dieser Kampagne',
    body: 'Ein Touchpoint ist eine E-Mail oder Website. Legen Sie den ersten an.',
    reader: 'Hier erscheinen die Touchpoints dieser Kampagne, sobald sie angelegt sind.',
  },
};
