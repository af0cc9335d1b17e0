import type { campaigns as en } from '#web/i18n/en/campaigns.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const campaigns: Translation<typeof en> = {
  new: 'Kampagne anlegen',
  name: 'Kampagnenname',
  brandHint: 'Alles in dieser Kampagne wird für diese Marke gesendet.',
  brandMissing: 'Wählen Sie eine Marke.',
  views: { all: 'Alle', draft: 'Entwürfe', scheduled: 'Geplant', archived: 'Archiviert' },
  empty: {
    body: 'Eine Kampagne bündelt E-Mails und Websites mit einem gemeinsamen Ziel. Beginnen Sie mit Name und Marke.',
    reader: 'Hier erscheinen Kampagnen mit ihren Touchpoints und Ergebnissen, sobald sie angelegt sind.',
  },
  created: 'Kampagne angelegt',
  rename: 'Kampagne umbenennen',
  renamed: 'Umbenannt',
  deletedHere: 'Kampagne „{{name}}“ gelöscht.',
  addTouchpoint: 'Touchpoint anlegen',
  emptyTouchpoints: {
    title: 'Noch keine Touchpoints in dieser Kampagne',
    body: 'Ein Touchpoint ist eine E-Mail oder Website. Legen Sie den ersten an.',
    reader: 'Hier erscheinen die Touchpoints dieser Kampagne, sobald sie angelegt sind.',
  },
};
