// Types only: template processes cannot read the files of the contract.
import type { SendError } from '@reachout/contract/rules/send-errors.ts';

const renderErrorCodes = [
  'invalid_address',
  'liquid_failed',
  'too_large',
  'too_slow',
  'invalid_options',
] as const;
type RenderErrorCode = (typeof renderErrorCodes)[number];

interface RenderErrorOptions extends ErrorOptions {
  sendError?: SendError;
}

/** This message cannot be built from this data; a retry will not help. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderErrorCode;
  /** Shown to users who view the send. */
  readonly sendError: SendError;
  constructor(
    code: RenderErrorCode,
    message: string,
    { sendError = { code: 'not_built', values: {} }, ...options }: RenderErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.sendError = sendError;
  }
}
