import { common } from './common.ts';
import { auth } from './auth.ts';

/** What the pages before the app need; they load nothing else. */
export const entry = { common, auth };
