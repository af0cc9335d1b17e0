import { sendErrors } from './send-errors.ts';
import { sends } from './sends.ts';

/** What sends are shown with, and what the send engine says about them. */
export const sendTexts = { sends, sendErrors };
