export const tokenPurposes = ['open', 'click', 'unsubscribe', 'view', 'return_path', 'message_id'] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

/** Names one message: `sendNumber` is a positive safe integer, `seq` a positive 32-bit integer. */
export interface DeliveryRef {
  sendNumber: number;
  seq: number;
}

export interface TokenSigner {
  sign(purpose: TokenPurpose, ref: DeliveryRef): string;
  verify(purpose: TokenPurpose, token: string): DeliveryRef | undefined;
}

export function createTokenSigner(_secret: Buffer): TokenSigner {
  throw new Error('not built yet');
}
