import { sendErrors as texts, type SendErrorCode } from '@reachout/contract/rules/send-errors.ts';

/** Messages of the send engine: the same texts as in the API. */
export const sendErrors = { text: texts as Record<SendErrorCode, string> };
