import type { z } from 'zod';
import type { NewPasskey } from '@reachout/contract/me.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { inTransaction, operations } from '../../access/operations.ts';
import { invalidInput, notSignedIn, tooManyRecords } from '../../../platform/http/api-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SecondFactorDeps, SignInDeps } from '../sign-in-deps.ts';
import { findCredentials, lockUser } from '../users/credentials.queries.ts';
import { createChallenge, redeemChallenge, relyingPartyOf } from './passkey-challenge.ts';
import { importPasskeyLibrary } from './passkey-library.ts';
import {
  deletePasskey,
  getPasskey,
  insertPasskey,
  listCredentials,
  renamePasskey,
} from './passkey.queries.ts';
import { completeFirstFactor, completeRemoval } from './second-factor.routes.ts';

type Deps = SecondFactorDeps & Pick<SignInDeps, 'db'> & { config: { publicUrl: string } };

/** EdDSA, ES256 and RS256 (COSE). The library would offer ML-DSA as well, which Node calls experimental. */
const algorithms = [-8, -7, -257];

/** The passkeys of the signed-in user. */
export function createPasskeyRoutes(deps: Deps) {
  const { db, secrets, config } = deps;
  return {
    startPasskey: inTransaction(operations.me.startPasskey, async (trx, _input, { userId }) => {
      const user = await findCredentials(trx, userId);
      if (user === undefined) throw notSignedIn();
      const credentials = await listCredentials(trx, userId);
      if (credentials.length >= maxRecords) throw tooManyRecords(maxRecords);
      const { generateRegistrationOptions } = await importPasskeyLibrary();
      const options = await generateRegistrationOptions({
        rpName: 'Reachout',
        rpID: relyingPartyOf(config.publicUrl).id,
        userName: user.email,
        userDisplayName: user.full_name,
        userID: new TextEncoder().encode(userId),
        challenge: await createChallenge(db, secrets, user),
        excludeCredentials: credentials,
        // The passkey must identify and verify its user, so that it is enough to sign in.
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      // Removes undefined fields, which JSON does not have.
      return { options: JSON.parse(JSON.stringify(options)) as Record<string, never> };
    }),
    addPasskey: inTransaction(operations.me.addPasskey, async (trx, { name, credential }, context) => {
      const { userId } = context;
      const { id: credentialId, publicKey, counter } = await verify(deps, credential, userId);
      await lockUser(trx, userId);
      if ((await listCredentials(trx, userId)).length >= maxRecords) throw tooManyRecords(maxRecords);
      const id = newId();
      const isNew = await insertPasskey(trx, {
        id,
        user_id: userId,
        credential_id: credentialId,
        public_key: Buffer.from(publicKey),
        counter,
        transports: credential.transports,
        name,
      });
      if (!isNew) throw rejected();
      const codes = await completeFirstFactor(trx, deps, userId, 'passkey_added', context);
      return { passkey: await getPasskey(trx, userId, id), recovery_codes: codes };
    }),
    renamePasskey: inTransaction(operations.me.renamePasskey, async (trx, input, { userId }) => {
      await renamePasskey(trx, userId, input);
      return await getPasskey(trx, userId, input.id);
    }),
    removePasskey: inTransaction(operations.me.removePasskey, async (trx, { id }, context) => {
      await getPasskey(trx, context.userId, id);
      await deletePasskey(trx, context.userId, id);
      await completeRemoval(trx, context.userId, 'passkey_removed', context);
      return { id };
    }),
  };
}

/** @throws 422 `invalid_input` for `credential` */
async function verify(
  { db, secrets, config, log }: Deps,
  { id, client_data, attestation, transports }: z.infer<typeof NewPasskey>,
  userId: string,
) {
  const { verifyRegistrationResponse } = await importPasskeyLibrary();
  const { id: rpId, origin } = relyingPartyOf(config.publicUrl);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data, attestationObject: attestation, transports },
      },
      expectedChallenge: (challenge) => redeemChallenge(db, secrets, challenge, userId),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (verified) return registrationInfo.credential;
  } catch (error) {
    // The library throws for any mismatch.
    log.info({ err: error }, 'a new passkey was refused');
  }
  throw rejected();
}

const rejected = () => invalidInput('credential', 'This passkey could not be verified. Try again.');
