import { sendErrors } from './send-errors.ts';
import { sends } from './sends.ts';
import { statistics } from './statistics.ts';

/** Needed by the pages of a touchpoint alone. */
export const touchpointPages = { sends, sendErrors, statistics };
