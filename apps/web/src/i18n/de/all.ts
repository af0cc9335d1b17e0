import { app } from './app.ts';
import { auth } from './auth.ts';
import { brandPages } from './brand-kit.ts';
import { common } from './common.ts';
import { contacts } from './contacts.ts';
import { conversions } from './conversions.ts';
import { domains } from './domains.ts';
import { eventGraph } from './event-graph.ts';
import { help } from './help.ts';
import { pages } from './pages.ts';
import { pageWords } from './page-words.ts';
import { schedules } from './schedules.ts';
import { sendErrors } from './send-errors.ts';
import { sends } from './sends.ts';
import { settingsAndAccount } from './settings-and-account.ts';
import { setup } from './setup.ts';
import { shared } from './shared.ts';
import { sharedByPages } from './shared-by-pages.ts';
import { signUpForms } from './sign-up-forms.ts';
import { statistics } from './statistics.ts';
import { transports } from './transports.ts';
import { websites } from './websites.ts';
import { words } from './words.ts';

export const de = {
  auth,
  ...app,
  ...pages,
  common: { ...common, ...shared, ...sharedByPages, words: { ...words, ...pageWords } },
  ...brandPages,
  ...contacts,
  ...settingsAndAccount,
  conversions,
  domains,
  eventGraph,
  help,
  sends,
  sendErrors,
  schedules,
  setup,
  signUpForms,
  statistics,
  transports,
  websites,
};
