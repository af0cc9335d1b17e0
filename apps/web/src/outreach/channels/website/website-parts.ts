import { WebsiteAction } from './website-action.tsx';
import { WebsiteOverview } from './website-overview.tsx';
import { WebsiteToken } from './website-token.tsx';

/** In one chunk, whose name is in the first load. */
export const parts = { Action: WebsiteAction, Overview: WebsiteOverview, Settings: WebsiteToken };
