import type { FrozenEmail } from './email-content.ts';
import type { TokenSigner } from './tokens.ts';

export interface EmailRendererOptions {
  /** https origin (and optional path) of the tracking host, without a slash at the end. */
  publicUrl: string;
  signer: TokenSigner;
  sendNumber: number;
  /** Host that takes returned mail. Without it the envelope sender is the From address. */
  bounceDomain?: string;
  headers: { feedbackId: string; listId: string };
}

export interface Recipient {
  /** 1-based number inside the send. */
  seq: number;
  contactId: string;
  /** As `parseAddress` returned it. */
  address: string;
  /** The contact's fields: `contact.*` in Liquid. */
  variables: Record<string, unknown>;
}

export interface BuiltMessage {
  envelopeFrom: string;
  envelopeTo: string;
  /** With angle brackets, the same for every attempt. */
  messageId: string;
  /** Head and body, CRLF, 7 bit, no line starts with a dot, ends with CRLF. */
  message: Buffer;
  /** Where the body starts in `message`; the body is canonical under relaxed (RFC 6376 section 3.4.4). */
  bodyOffset: number;
}

export interface EmailRenderer {
  /** @throws RenderError */
  build(recipient: Recipient, date: Date): BuiltMessage;
  /** The page behind "view in browser": plain destinations, no pixel. @throws RenderError */
  renderHtml(recipient: Recipient): string;
  /** Destination of link `linkNo` (0-based); undefined unless it is an http(s) address. */
  linkTarget(recipientVariables: Record<string, unknown>, linkNo: number): string | undefined;
}

export const renderErrorCodes = [
  'header_injection',
  'invalid_address',
  'liquid_failed',
  'too_large',
  'too_slow',
  'invalid_options',
] as const;
export type RenderErrorCode = (typeof renderErrorCodes)[number];

/** This message cannot be built from this data; trying again will not help. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderErrorCode;
  constructor(code: RenderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function createEmailRenderer(_frozen: FrozenEmail, _options: EmailRendererOptions): EmailRenderer {
  throw new Error('not built yet');
}
