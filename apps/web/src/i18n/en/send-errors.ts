import { sendErrors as texts, type SendErrorCode } from '@reachout/contract/rules/send-errors.ts';

/** What the send engine says: the same texts as the API’s. */
export const sendErrors = { text: texts as Record<SendErrorCode, string> };
