import type { PasskeyAssertion } from '@reachout/contract/me.ts';
import { isRecord } from '#web/platform/problem.ts';

/** Whether this browser supports passkeys and can parse their options in the server's format. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** The user closed the browser's dialog, or it timed out. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** This device already has a passkey for the account. */
export const isPasskeyKnown = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

/** Lets the device create a passkey. @param options  from the server */
export async function createPasskey(options: unknown) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = toJson(await navigator.credentials.create({ publicKey }));
  const { transports } = credential.response;
  return {
    id: credential.id,
    client_data: textOf(credential.response['clientDataJSON']),
    attestation: textOf(credential.response['attestationObject']),
    transports: Array.isArray(transports) ? transports.filter((name) => typeof name === 'string') : [],
  };
}

/** Signs with a passkey of this installation. @param options  from the server */
export async function signWithPasskey(options: unknown): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const { id, response } = toJson(await navigator.credentials.get({ publicKey }));
  return {
    id,
    client_data: textOf(response['clientDataJSON']),
    authenticator_data: textOf(response['authenticatorData']),
    signature: textOf(response['signature']),
    user_handle: textOf(response['userHandle']),
  };
}

function toJson(credential: Credential | null): { id: string; response: Record<string, unknown> } {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.');
  const { response } = credential.toJSON() as { response: unknown };
  return { id: credential.id, response: isRecord(response) ? response : {} };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
