import { app } from './app.ts';
import { settingsAndAccount } from './settings-and-account.ts';
import { touchpointPages } from './touchpoint-pages.ts';

export const en = { ...app, ...settingsAndAccount, ...touchpointPages };
