import type { PasskeyAssertion } from '@reachout/contract/me.ts';
import { apiError } from '../../../platform/http/api-error.ts';
import { transactionAs } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { createChallenge, redeemChallenge, relyingPartyOf } from './passkey-challenge.ts';
import { importPasskeyLibrary } from './passkey-library.ts';
import { findPasskeyByCredential, recordPasskeyUse } from './passkey.queries.ts';

type Deps = SignInDeps & { config: { publicUrl: string } };

/**
 * @returns the options with which the browser requests any passkey of this installation; the passkey identifies its
 *   user
 * @throws 429 `too_many_attempts`
 */
export async function startPasskeySignIn({ db, secrets, limits, config }: Deps, { ipPrefix }: Browser) {
  await limits.count(['passkey_sign_ins_of_ip_prefix', ipPrefix]);
  const challenge = await createChallenge(db, secrets);
  const { generateAuthenticationOptions } = await importPasskeyLibrary();
  return await generateAuthenticationOptions({
    rpID: relyingPartyOf(config.publicUrl).id,
    challenge,
    userVerification: 'required',
  });
}

/**
 * Signs in with a passkey alone. It counts for both steps: the device holds it and has verified its user.
 * @returns the cookies of the session
 * @throws 401 `unknown_passkey`, 429 `too_many_attempts`
 */
export async function signInWithPasskey(
  deps: Deps,
  assertion: PasskeyAssertion,
  browser: Browser,
): Promise<string[]> {
  const { db, limits, auth } = deps;
  const counted = ['passkey_sign_ins_of_ip_prefix', browser.ipPrefix] as const;
  await limits.count(counted);
  const userId = Buffer.from(assertion.user_handle, 'base64url').toString();
  if (!isUuid(userId)) throw unknownPasskey();
  const [user, passkey] = await transactionAs(db, { userId }, async (trx) => [
    await findCredentials(trx, userId),
    await findPasskeyByCredential(trx, userId, assertion.id),
  ]);
  if (passkey === undefined || user?.status !== 'active') throw unknownPasskey();
  const counter = await verify(deps, assertion, passkey);
  // The sign-in was already counted when its challenge was created.
  await limits.refund(counted);
  const cookies = await auth.openSession(browser.headers, userId, 'passkey', () =>
    transactionAs(db, { userId }, (trx) => recordPasskeyUse(trx, passkey.id, counter)),
  );
  if (cookies === 'second_factor_needed') throw new Error('A proven second factor was asked for again.');
  return cookies;
}

/** @returns the new signature counter */
async function verify(
  { db, secrets, config, log }: Deps,
  { id, client_data, authenticator_data, signature, user_handle }: PasskeyAssertion,
  passkey: { credential_id: string; public_key: Buffer; counter: number },
): Promise<number> {
  const { verifyAuthenticationResponse } = await importPasskeyLibrary();
  const { id: rpId, origin } = relyingPartyOf(config.publicUrl);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client_data,
          authenticatorData: authenticator_data,
          signature,
          userHandle: user_handle,
        },
      },
      expectedChallenge: (challenge) => redeemChallenge(db, secrets, challenge, null),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    });
    if (verified) return authenticationInfo.newCounter;
  } catch (error) {
    // The library throws for any mismatch.
    log.info({ err: error }, 'a passkey was refused');
  }
  throw unknownPasskey();
}

const unknownPasskey = () => apiError('unknown_passkey');
