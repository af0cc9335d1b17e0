import { hash, timingSafeEqual } from 'node:crypto';

/** What a token allows its bearer to do. Each purpose has its position in the digest: the order must never change. */
export const tokenPurposes = ['open', 'click', 'view', 'unsubscribe', 'return_path', 'visit'] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

/** Identifies one message: `sendNumber` is a positive safe integer, `seq` a positive 32-bit integer. */
export interface DeliveryRef {
  sendNumber: number;
  seq: number;
}

/** The tokens that a message carries, one for each purpose. */
export type MessageTokens = Readonly<Record<Exclude<TokenPurpose, 'visit'>, string>>;

export interface TokenSigner {
  /**
   * `<send>-<seq>-<mac>`, all printable ASCII that is safe in a path and in a local part. Return-path and
   * unsubscribe tokens are lower case throughout (mail systems may fold case) and at most 45 characters.
   * @throws RangeError when the reference is out of range
   */
  sign(ref: DeliveryRef): MessageTokens;
  /**
   * The token that a click takes along to a tracked website, of the same form. No message carries it.
   * @throws RangeError when the reference is out of range
   */
  signVisit(ref: DeliveryRef): string;
  /** @returns undefined unless exactly this token was signed for this purpose, with the current or a previous secret */
  verify(purpose: TokenPurpose, token: string): DeliveryRef | undefined;
}

/**
 * Signs all tokens of a message with one keyed hash: SHAKE256 (FIPS 202) over the secret and the name of the message.
 * Its output can have any length, and each purpose uses its own part: one part reveals nothing about the others, so that
 * a token is not valid at another endpoint. Unlike SHA-2, it needs no outer hash (NIST SP 800-185 builds KMAC in the
 * same way). Each MAC has at least 130 bits. docs/decisions/0029
 * @param secret at least 32 bytes
 * @param previous earlier secrets, so that the links in sent messages stay valid
 */
export function createTokenSigner(secret: Buffer, previous: readonly Buffer[] = []): TokenSigner {
  if (secret.length < 32) throw new RangeError('The token secret needs at least 32 bytes.');
  const digest = createDigest(secret);
  const digests = [digest, ...previous.map(createDigest)];
  return {
    sign: (ref) => {
      const name = nameOf(ref);
      const macs = digest(name);
      return {
        open: `${name}-${macOf(macs, 'open')}`,
        click: `${name}-${macOf(macs, 'click')}`,
        view: `${name}-${macOf(macs, 'view')}`,
        unsubscribe: `${name}-${macOf(macs, 'unsubscribe')}`,
        return_path: `${name}-${macOf(macs, 'return_path')}`,
      };
    },
    signVisit: (ref) => {
      const name = nameOf(ref);
      return `${name}-${macOf(digest(name), 'visit')}`;
    },
    verify: (purpose, token) => {
      const parts = tokenPattern.exec(places[purpose].foldsCase ? token.toLowerCase() : token);
      if (parts === null) return undefined;
      const [, name = '', send = '', count = '', mac = ''] = parts;
      const sendNumber = Number.parseInt(send, 36);
      const seq = Number.parseInt(count, 36);
      if (!isReference(sendNumber, seq)) return undefined;
      const actual = Buffer.from(mac);
      const isSigned = digests.some((known) => {
        const expected = Buffer.from(macOf(known(name), purpose));
        return actual.length === expected.length && timingSafeEqual(actual, expected);
      });
      return isSigned ? { sendNumber, seq } : undefined;
    },
  };
}

// No leading zero, so that one message has exactly one token.
const tokenPattern = /^(([1-9a-z][0-9a-z]{0,10})-([1-9a-z][0-9a-z]{0,5}))-([\w-]{22,26})$/;

function nameOf({ sendNumber, seq }: DeliveryRef): string {
  if (!isReference(sendNumber, seq)) throw new RangeError('A token needs a positive send number and seq.');
  return `${sendNumber.toString(36)}-${seq.toString(36)}`;
}

const isReference = (sendNumber: number, seq: number): boolean =>
  Number.isSafeInteger(sendNumber) &&
  sendNumber > 0 &&
  Number.isInteger(seq) &&
  seq > 0 &&
  seq <= 0x7fff_ffff;

interface Place {
  start: number;
  end: number;
  foldsCase: boolean;
}

/** Characters of a MAC: 22 with 6 bits each, or 26 with at least 5. */
const exactLength = 22;
const foldedLength = 26;
const places = placeMacs();

/** @returns the position of each purpose's MAC in the digest, in characters */
function placeMacs(): Record<TokenPurpose, Place> {
  let start = 0;
  const entries = tokenPurposes.map((purpose) => {
    const foldsCase = purpose === 'return_path' || purpose === 'unsubscribe';
    const place = { start, end: start + (foldsCase ? foldedLength : exactLength), foldsCase };
    start = place.end;
    return [purpose, place] as const;
  });
  return Object.fromEntries(entries) as Record<TokenPurpose, Place>;
}

function macOf(digest: string, purpose: TokenPurpose): string {
  const { start, end, foldsCase } = places[purpose];
  const mac = digest.slice(start, end);
  // Only letters and digits. At most two characters map to the same one, which leaves 5 of 6 bits.
  return foldsCase ? mac.toLowerCase().replaceAll('-', '0').replaceAll('_', '1') : mac;
}

const keyBytes = 32;
/** `<send>-<seq>` of the largest reference has 18 characters. */
const maxNameLength = 32;
/** 105 bytes: one block of SHAKE256 has 136. A longer output begins with the shorter one. */
const digestOptions = {
  outputEncoding: 'base64url',
  outputLength: Math.ceil((4 * exactLength + 2 * foldedLength) * (6 / 8)),
} as const;

/** One-shot hashing into text takes 0.6 us; `createHmac`, or a hash into a buffer, takes twice that or more. */
function createDigest(secret: Buffer): (name: string) => string {
  const input = Buffer.alloc(keyBytes + maxNameLength);
  hash('sha256', secret, 'buffer').copy(input);
  return (name) => {
    const length = input.write(name, keyBytes, 'latin1');
    return hash('shake256', input.subarray(0, keyBytes + length), digestOptions);
  };
}
