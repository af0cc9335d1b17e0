import { account } from './account.ts';
import { backend } from './backend.ts';
import { jobs } from './jobs.ts';
import { settings } from './settings.ts';

/** Large, and needed by few screens. */
export const settingsAndAccount = { settings, account, backend, jobs };
