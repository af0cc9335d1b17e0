import { hash, verify } from 'node:crypto';
import { readKeyRecord } from './key-record.ts';
import { relaxBody, splitMessage } from './relaxed.ts';
import { signedText } from './signed-fields.ts';
import { readTagList } from './tag-list.ts';

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
  const { key, faults } = readKeyRecord(keyRecord);
  if (faults.length > 0 || key === undefined)
    return faults.every(({ kind }) => kind === 'revoked') ? 'key_revoked' : 'key_unusable';
  if (hash('sha256', relaxBody(body), 'base64') !== bodyHash) return 'body_changed';
  const text = signedText(fields, names, { ...signature, value: withoutSignature(signature.value) });
  return verify('sha256', text, key, Buffer.from(bytes, 'base64')) ? undefined : 'signature_wrong';
}

/** Tags by name, their values without blanks; undefined if it is no tag list. */
function readTags(list: string): Map<string, string> | undefined {
  const { tags, malformed, duplicate } = readTagList(list);
  if (malformed !== undefined || duplicate !== undefined) return undefined;
  return new Map([...tags].map(([name, value]) => [name, value.replaceAll(/\s/g, '')]));
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
