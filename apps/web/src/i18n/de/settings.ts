import type { settings as en } from '../en/settings.ts';
import type { Translation } from '../translation.ts';

export const settings: Translation<typeof en> = {
  title: 'Einstellungen',
};
