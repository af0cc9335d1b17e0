import { isRecord } from '#web/platform/problem.ts';

/** Whether this browser has passkeys, and reads their options as the server writes them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** The person closed the dialog of the browser, or let it wait for too long. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** This device has a passkey of the account already. */
export const isPasskeyKnown = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

/** Has the device make a passkey. @param options  of the server */
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

/** Has a passkey of this installation sign. @param options  of the server */
export async function signWithPasskey(options: unknown): Promise<Record<string, unknown>> {
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
