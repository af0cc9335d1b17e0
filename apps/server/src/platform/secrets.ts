import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from './secret-key.ts';

/** Location of a sealed value; moved to another row, it cannot be opened. */
export interface SealPlace {
  table: string;
  column: string;
  id: string;
  organizationId?: string;
}

/** Keyed hashes and encryption, with a separate key per purpose: a copy of the database alone is useless. */
export interface Secrets {
  /** @returns a keyed hash to store in place of a token; it differs between purposes */
  hash: (purpose: string, token: string) => string;
  /** @returns all hashes under which a token may be stored: that of the current key, then those of the previous keys */
  hashes: (purpose: string, token: string) => string[];
  /** Encrypts with AES-256-GCM, bound to the place. */
  seal: (place: SealPlace, text: string) => string;
  /** Decrypts. @throws Error if the value was sealed for another place, or with a key that is no longer known */
  open: (place: SealPlace, sealed: string) => string;
}

/** @returns 192 random bits in 32 URL-safe characters */
export const newToken = (): string => randomBytes(24).toString('base64url');

/**
 * @param secretKey  SECRET_KEY
 * @param previousKeys  for opening and looking up what was stored before the key was changed; nothing new is sealed or
 *   hashed with them
 */
export function createSecrets(secretKey: string, previousKeys: readonly string[] = []): Secrets {
  const sealingKeys = [secretKey, ...previousKeys].map((key) => deriveKey(key, 'sealed columns'));
  const byId = new Map(sealingKeys.map((key) => [idOf(key), key]));
  const [current] = sealingKeys;
  const hashWith = (key: string, purpose: string, token: string) =>
    createHmac('sha256', deriveKey(key, `hash/${purpose}`))
      .update(token)
      .digest('base64url');
  return {
    hash: (purpose, token) => hashWith(secretKey, purpose, token),
    hashes: (purpose, token) => [secretKey, ...previousKeys].map((key) => hashWith(key, purpose, token)),
    seal: (place, text) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current!, nonce).setAAD(placeOf(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [idOf(current!), nonce, cipher.getAuthTag(), body]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    open: (place, sealed) => {
      const [keyId = '', nonce = '', tag = '', body = ''] = sealed.split('.');
      const key = byId.get(keyId);
      if (key === undefined) throw new Error('This was sealed with a key that is not known.');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(placeOf(place))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64url').slice(0, 8);

const placeOf = ({ table, column, id, organizationId = '' }: SealPlace): Buffer =>
  Buffer.from(JSON.stringify([table, column, id, organizationId]));
