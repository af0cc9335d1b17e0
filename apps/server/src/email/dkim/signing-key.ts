import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';

/** Those with fewer bits are weak; with more, receivers need not verify them (RFC 8301 section 3.2). */
const leastBits = 2048;
const mostBits = 4096;

/** Parsing a key takes as long as a signature, and each send is loaded with one. By the hash of its text, the oldest first. */
const parsedKeys = new Map<string, KeyObject>();
const mostKeys = 100;

/**
 * @param pem  an RSA key, PKCS #8
 * @throws Error if it cannot sign
 */
export function readSigningKey(pem: string): KeyObject {
  const hash = createHash('sha256').update(pem).digest('base64');
  const known = parsedKeys.get(hash);
  if (known !== undefined) return known;
  const key = createPrivateKey(pem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < leastBits || bits > mostBits)
    throw new Error(`It is not an RSA key of ${leastBits} to ${mostBits} bits.`);
  parsedKeys.set(hash, key);
  const [oldest = hash] = parsedKeys.keys();
  if (parsedKeys.size > mostKeys) parsedKeys.delete(oldest);
  return key;
}
