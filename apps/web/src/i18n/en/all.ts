import { app } from './app.ts';
import { brandPages } from './brand-kit.ts';
import { contacts } from './contacts.ts';
import { settingsAndAccount } from './settings-and-account.ts';
import { touchpointPages } from './touchpoint-pages.ts';

export const en = { ...app, ...brandPages, ...contacts, ...settingsAndAccount, ...touchpointPages };
