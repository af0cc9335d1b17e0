import { app } from './app.ts';
import { auth } from './auth.ts';
import { brandPages } from './brand-kit.ts';
import { common } from './common.ts';
import { contacts } from './contacts.ts';
import { pages } from './pages.ts';
import { settingsAndAccount } from './settings-and-account.ts';
import { touchpointPages } from './touchpoint-pages.ts';

export const de = {
  common,
  auth,
  ...app,
  ...pages,
  ...brandPages,
  ...contacts,
  ...settingsAndAccount,
  ...touchpointPages,
};
