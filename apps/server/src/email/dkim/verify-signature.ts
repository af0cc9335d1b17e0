import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import { relaxBody, splitMessage } from './relaxed.ts';
import { signedText } from './signed-fields.ts';

export const signatureProblems = [
  /** The message has no DKIM-Signature. */
  'signature_missing',
  /** It is not as `createSigner` makes it. */
  'signature_unusable',
  /** The text is no key record for email, or its key is no RSA key of at least 1024 bits. */
  'key_unusable',
  /** The key record has an empty `p=` (RFC 6376 section 3.6.1). */
  'key_revoked',
  'body_changed',
  /** The signed fields were changed, or the record has another key. */
  'signature_wrong',
] as const;
export type SignatureProblem = (typeof signatureProblems)[number];

/** Signatures of smaller keys do not count (RFC 8301 section 3.2). */
const leastBits = 1024;

/**
 * Verifies the topmost signature of a message that `createSigner` has signed.
 * @param message  with CRLF alone as line break
 * @param keyRecord  text of the DNS record at `<selector>._domainkey.<domain>`, its parts joined
 * @returns undefined if the signature is valid
 */
export function verifySignature(message: Buffer, keyRecord: string): SignatureProblem | undefined {
  const { fields, body } = splitMessage(message);
  const signature = fields.find(({ name }) => name === 'dkim-signature');
  if (signature === undefined) return 'signature_missing';
  const tags = readTags(signature.value);
  const names = tags?.get('h')?.toLowerCase().split(':') ?? [];
  const bodyHash = tags?.get('bh');
  const bytes = tags?.get('b');
  if (tags === undefined || bodyHash === undefined || bytes === undefined || !isOurs(tags, names))
    return 'signature_unusable';
  const key = readKey(keyRecord);
  if (typeof key === 'string') return key;
  if (hash('sha256', relaxBody(body), 'base64') !== bodyHash) return 'body_changed';
  const text = signedText(fields, names, { ...signature, value: withoutSignature(signature.value) });
  return verify('sha256', text, key, Buffer.from(bytes, 'base64')) ? undefined : 'signature_wrong';
}

/** Tags by name, their values without blanks; undefined if it is no tag list (RFC 6376 section 3.2). */
function readTags(list: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  const parts = list.split(';');
  if (parts.at(-1)?.trim() === '') parts.pop();
  for (const part of parts) {
    const [, name, value] = /^\s*([a-z]\w*)\s*=([^]*)$/i.exec(part) ?? [];
    if (name === undefined || value === undefined || tags.has(name)) return undefined;
    tags.set(name, value.replaceAll(/\s/g, ''));
  }
  return tags;
}

/** `l=` would leave the end of the body unsigned, and without From the signature says nothing about the sender. */
const isOurs = (tags: ReadonlyMap<string, string>, names: readonly string[]): boolean =>
  tags.get('v') === '1' &&
  tags.get('a') === 'rsa-sha256' &&
  tags.get('c') === 'relaxed/relaxed' &&
  !tags.has('l') &&
  ['d', 's'].every((name) => (tags.get(name) ?? '') !== '') &&
  names.includes('from');

/** The value of `b=` counts as empty (RFC 6376 section 3.7). */
const withoutSignature = (value: string): string => value.replace(/((?:^|;)\s*b\s*=)[^;]*/, '$1');

function readKey(record: string): KeyObject | 'key_unusable' | 'key_revoked' {
  const tags = readTags(record);
  const listOf = (name: string) => tags?.get(name)?.toLowerCase().split(':');
  const [first] = tags?.keys() ?? [];
  const isForUs =
    (first === 'v' ? tags?.get('v') === 'DKIM1' : tags?.has('v') === false) &&
    ['rsa', undefined].includes(tags?.get('k')) &&
    (listOf('h')?.includes('sha256') ?? true) &&
    (listOf('s')?.some((service) => service === '*' || service === 'email') ?? true);
  const data = tags?.get('p');
  if (!isForUs || data === undefined) return 'key_unusable';
  if (data === '') return 'key_revoked';
  // Decoding base64 skips what is not part of it, such as quotation marks; receivers do not.
  if (!/^[a-z\d+/]+={0,2}$/i.test(data)) return 'key_unusable';
  try {
    const key = createPublicKey({ key: Buffer.from(data, 'base64'), format: 'der', type: 'spki' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= leastBits ? key : 'key_unusable';
  } catch {
    return 'key_unusable';
  }
}
