import { WebsiteAction } from './website-action.tsx';
import { WebsiteOverview } from './website-overview.tsx';
import { WebsiteSettings } from './website-settings.tsx';

/** In one chunk, whose name is in the first load. */
export const parts = { Action: WebsiteAction, Overview: WebsiteOverview, Settings: WebsiteSettings };
