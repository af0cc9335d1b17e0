import { sendErrors } from './send-errors.ts';
import { sends } from './sends.ts';

/** Texts to show sends, and the messages of the send engine. */
export const sendTexts = { sends, sendErrors };
