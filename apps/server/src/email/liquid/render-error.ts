const renderErrorCodes = [
  'header_injection',
  'invalid_address',
  'liquid_failed',
  'too_large',
  'too_slow',
  'invalid_options',
] as const;
type RenderErrorCode = (typeof renderErrorCodes)[number];

/** This message cannot be built from this data; trying again will not help. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderErrorCode;
  constructor(code: RenderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
