import { account } from './account.ts';
import { settings } from './settings.ts';

/** Large, and needed by few screens. */
export const settingsAndAccount = { settings, account };
