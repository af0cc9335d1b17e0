import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion } from '@reachout/contract/me.ts';

interface Ceremony {
  /** From the options of the server. */
  challenge: string;
  /** Origin of the page and host of the relying party. */
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
}

/** Creates a software passkey with the bytes that a browser and its authenticator would send (WebAuthn Level 3). */
export function createPasskey(userId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  const authenticatorData = ({ rpId = 'localhost', isUserVerified = true }: Ceremony, flags: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter += 1));
    const present = 0x01 | (isUserVerified ? 0x04 : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([present | flags]), count]);
  };
  const clientData = (type: string, { challenge, origin = 'http://localhost:3000' }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    /** The result of `navigator.credentials.create`. */
    create: (ceremony: Ceremony) => {
      const key = Buffer.concat([
        // COSE: an EC2 key for ES256 on P-256.
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = Buffer.concat([authenticatorData(ceremony, 0x40), credential]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        id: id.toString('base64url'),
        client_data: clientData('webauthn.create', ceremony).toString('base64url'),
        attestation: attestation.toString('base64url'),
        transports: ['internal'],
      };
    },
    /** The result of `navigator.credentials.get`. */
    get: (ceremony: Ceremony): PasskeyAssertion => {
      const data = authenticatorData(ceremony, 0);
      const client = clientData('webauthn.get', ceremony);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        id: id.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        user_handle: Buffer.from(userId).toString('base64url'),
      };
    },
  };
}

const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
