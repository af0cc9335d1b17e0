import { shell } from './shell.ts';
import { organizations } from './organizations.ts';
import { dashboard } from './dashboard.ts';
import { campaigns } from './campaigns.ts';
import { shared } from './shared.ts';

/** What the frame around all screens behind sign-in and the dashboard need besides the words that all screens share. */
export const app = { common: shared, shell, organizations, dashboard, campaigns };
