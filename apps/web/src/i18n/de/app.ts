import { shell } from './shell.ts';
import { organizations } from './organizations.ts';
import { dashboard } from './dashboard.ts';
import { shared } from './shared.ts';
import { words } from './words.ts';

/** Texts for the frame of all screens behind sign-in and for the dashboard, in addition to the shared texts. */
export const app = { common: { ...shared, words }, shell, organizations, dashboard };
