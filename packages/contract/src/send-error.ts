import { z } from 'zod';
import { sendErrorCodes } from './rules/send-errors.ts';

/** Why a send or a delivery is in its state, if the reason is not a mail server's reply: see `sendErrors` for the texts. */
export const SendError = z.object({
  code: z.enum(sendErrorCodes),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
