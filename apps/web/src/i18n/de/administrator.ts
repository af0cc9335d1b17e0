import type { administrator as en } from '#web/i18n/en/administrator.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const administrator: Translation<typeof en> = {
  intro: 'Bitte legen Sie diese DNS-Einträge für {{domain}} an:',
  end: 'Vielen Dank!',
};
