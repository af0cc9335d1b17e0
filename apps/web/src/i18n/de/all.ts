import { app } from './app.ts';
import { settingsAndAccount } from './settings-and-account.ts';

export const de = { ...app, ...settingsAndAccount };
