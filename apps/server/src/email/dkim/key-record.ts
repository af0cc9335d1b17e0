import { createPublicKey, type KeyObject } from 'node:crypto';
import { readTagList } from './tag-list.ts';

/** Why receivers do not use a key record for our signatures. */
export type KeyFault =
  | { kind: 'syntax'; term: string }
  | { kind: 'duplicate'; tag: string }
  /** `P=` instead of `p=`. */
  | { kind: 'capital' }
  /** DKIM1 in another case, or behind other tags. */
  | { kind: 'version' }
  /** Another version, or no `p=`. */
  | { kind: 'other' }
  | { kind: 'algorithm' | 'service' | 'hash'; value: string }
  /** `p=` is empty. */
  | { kind: 'revoked' }
  | { kind: 'base64' }
  /** `p=` is no RSA key of at least 1024 bits. */
  | { kind: 'key' };

export interface KeyRecord {
  /** The value of `p=` without blanks; empty if it has none. */
  data: string;
  /** In the order in which they are to be corrected; a record without any verifies our signatures. */
  faults: KeyFault[];
  /** What `p=` holds. */
  key?: KeyObject;
  /** Names of tags in capital letters, which receivers ignore. */
  capitals: string[];
  isTesting: boolean;
}

/** Signatures of smaller keys do not count (RFC 8301 section 3.2). */
const leastBits = 1024;

/**
 * Reads a key record as a strict receiver of our signatures (rsa-sha256) does. Names and values of tags have a case, and
 * unknown tags are ignored.
 * @param text  of the DNS record, its strings joined
 * @see RFC 6376 sections 3.2 and 3.6.1
 */
export function readKeyRecord(text: string): KeyRecord {
  const { tags, malformed, duplicate, capitals } = readTagList(text);
  const faults: KeyFault[] = [];
  if (malformed !== undefined) faults.push({ kind: 'syntax', term: malformed });
  if (duplicate !== undefined) faults.push({ kind: 'duplicate', tag: duplicate });
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DKIM1' || tags.keys().next().value !== 'v'))
    faults.push({ kind: version.toUpperCase() === 'DKIM1' ? 'version' : 'other' });
  if (!tags.has('p')) faults.push(tags.has('P') ? { kind: 'capital' } : { kind: 'other' });
  const algorithm = tags.get('k') ?? 'rsa';
  if (algorithm !== 'rsa') faults.push({ kind: 'algorithm', value: algorithm });
  const listOf = (tag: string) => tags.get(tag)?.split(/[ \t\r\n]*:[ \t\r\n]*/);
  const excludes = (tag: string, ...needed: string[]) =>
    listOf(tag)?.every((entry) => !needed.includes(entry)) === true;
  if (excludes('s', '*', 'email')) faults.push({ kind: 'service', value: tags.get('s')! });
  if (excludes('h', 'sha256')) faults.push({ kind: 'hash', value: tags.get('h')! });
  const data = (tags.get('p') ?? tags.get('P') ?? '').replaceAll(/[ \t\r\n]/g, '');
  const key = readRsaKey(data);
  if (tags.get('p') === '') faults.push({ kind: 'revoked' });
  else if (tags.has('p') && !isBase64(data) && malformed === undefined) faults.push({ kind: 'base64' });
  else if (tags.has('p') && key === undefined && malformed === undefined) faults.push({ kind: 'key' });
  return {
    data,
    faults,
    ...(key !== undefined && { key }),
    capitals,
    isTesting: listOf('t')?.includes('y') === true,
  };
}

/** Decoding base64 skips what is not part of it, such as quotation marks; receivers do not. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[a-z\d+/]+={0,2}$/i.test(text);

function readRsaKey(data: string): KeyObject | undefined {
  if (!isBase64(data)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(data, 'base64'), format: 'der', type: 'spki' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= leastBits ? key : undefined;
  } catch {
    return undefined;
  }
}
