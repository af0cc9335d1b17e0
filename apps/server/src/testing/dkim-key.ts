import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** @returns a new RSA key in PEM; making one of 2048 bits takes about 100 ms */
export const makeDkimKey = (modulusLength = 2048): string =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' });

/** @returns the text of its record in DNS */
export function keyRecordOf(privateKey: string): string {
  const key = createPublicKey(createPrivateKey(privateKey));
  return `v=DKIM1; k=rsa; p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;
}
