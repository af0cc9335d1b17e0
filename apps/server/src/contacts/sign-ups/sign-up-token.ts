import { signRowToken, verifyRowToken, type RowRef } from '../../identity/access/row-tokens.ts';
import type { Secrets } from '../../platform/secrets.ts';

const purpose = 'confirmation of a sign-up';

/** The secret part of the link in the email that asks to confirm. */
export const toConfirmationToken = (secrets: Secrets, signUp: RowRef): string =>
  signRowToken(secrets, purpose, signUp);

export const readConfirmationToken = (secrets: Secrets, token: string): RowRef | undefined =>
  verifyRowToken(secrets, purpose, token);
