import { common } from './common.ts';
import { session } from './session.ts';

/** What the pages before the app need; they load nothing else. */
export const entry = { common, session };
