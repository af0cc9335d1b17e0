import { transactionAs, type Database } from '../../../platform/database/database.ts';
import { newToken, type Secrets } from '../../../platform/secrets.ts';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import { findToken, insertToken, useToken } from '../one-time-tokens/one-time-tokens.queries.ts';

/** A passkey belongs to the host of PUBLIC_URL and works only on its pages. */
export function relyingPartyOf(publicUrl: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/**
 * @param db  logs in as `reachout_auth`
 * @param user  who adds a passkey; undefined for a sign-in, where the user is not known yet
 */
export async function createChallenge(
  db: Database,
  secrets: Secrets,
  user?: { id: string; email: string },
): Promise<string> {
  const challenge = newToken();
  await transactionAs(db, {}, (trx) =>
    insertToken(trx, {
      purpose: 'passkey',
      email: user?.email ?? '',
      ...(user !== undefined && { user_id: user.id }),
      secret_hash: secrets.hash('passkey', challenge),
      validForMs: validForMs.passkey,
    }),
  );
  return challenge;
}

/**
 * Uses up a challenge that was returned signed.
 * @param db  logs in as `reachout_auth`
 * @param challenge  as in WebAuthn: Base64url
 * @param userId  of the user for whom it was created; null for a sign-in
 */
export async function redeemChallenge(
  db: Database,
  secrets: Secrets,
  challenge: string,
  userId: string | null,
): Promise<boolean> {
  const hashes = secrets.hashes('passkey', Buffer.from(challenge, 'base64url').toString());
  return await transactionAs(db, {}, async (trx) => {
    const token = await findToken(trx, 'passkey', 'secret_hash', hashes);
    return token !== undefined && token.user_id === userId && (await useToken(trx, token.id));
  });
}
