import { hash, timingSafeEqual } from 'node:crypto';

export const tokenPurposes = [
  'open',
  'click',
  'unsubscribe',
  'view',
  'return_path',
  'system_return_path',
  'message_id',
] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

/** Names one message: `sendNumber` is a positive safe integer, `seq` a positive 32-bit integer. */
export interface DeliveryRef {
  sendNumber: number;
  seq: number;
}

export interface TokenSigner {
  /**
   * `<send>-<seq>-<mac>`, all printable ASCII that is safe in a path and in a local part. Return-path and
   * unsubscribe tokens are lower case throughout (mail systems may fold case) and at most 46 characters.
   * @throws RangeError when the reference is out of range
   */
  sign(purpose: TokenPurpose, ref: DeliveryRef): string;
  /** Undefined unless this very token was signed for this very purpose, with the secret or one before it. */
  verify(purpose: TokenPurpose, token: string): DeliveryRef | undefined;
}

/**
 * Signs with HMAC-SHA-256 (RFC 2104) under one key per purpose, so a token tried at another endpoint is
 * worthless. MACs keep 130 or 132 bits.
 * @param secret at least 32 bytes
 * @param previous what signed before it: the links of messages that were sent go on working
 */
export function createTokenSigner(secret: Buffer, previous: readonly Buffer[] = []): TokenSigner {
  if (secret.length < 32) throw new RangeError('The token secret needs at least 32 bytes.');
  const macs = createMacs(secret);
  const allMacs = [macs, ...previous.map(createMacs)];
  return {
    sign: (purpose, { sendNumber, seq }) => {
      if (!isReference(sendNumber, seq))
        throw new RangeError('A token needs a positive send number and seq.');
      const name = `${sendNumber.toString(36)}-${seq.toString(36)}`;
      return `${name}-${macs[purpose](name)}`;
    },
    verify: (purpose, token) => {
      const given = isCaseInsensitive(purpose) ? token.toLowerCase() : token;
      const parts = tokenPattern.exec(given);
      if (parts === null) return undefined;
      const [, name = '', send = '', count = '', mac = ''] = parts;
      const sendNumber = Number.parseInt(send, 36);
      const seq = Number.parseInt(count, 36);
      if (!isReference(sendNumber, seq)) return undefined;
      const actual = Buffer.from(mac);
      const isSigned = allMacs.some((known) => {
        const expected = Buffer.from(known[purpose](name));
        return actual.length === expected.length && timingSafeEqual(actual, expected);
      });
      return isSigned ? { sendNumber, seq } : undefined;
    },
  };
}

type Macs = Record<TokenPurpose, (text: string) => string>;

const createMacs = (secret: Buffer): Macs =>
  Object.fromEntries(
    tokenPurposes.map((purpose) => [
      purpose,
      createMac(purposeKey(secret, purpose), isCaseInsensitive(purpose)),
    ]),
  ) as Macs;

// No leading zero, so that one message has exactly one token.
const tokenPattern = /^(([1-9a-z][0-9a-z]{0,10})-([1-9a-z][0-9a-z]{0,5}))-([\w-]{22,26})$/;

function isCaseInsensitive(purpose: TokenPurpose): boolean {
  return purpose === 'return_path' || purpose === 'system_return_path' || purpose === 'unsubscribe';
}

function isReference(sendNumber: number, seq: number): boolean {
  return (
    Number.isSafeInteger(sendNumber) &&
    sendNumber > 0 &&
    Number.isInteger(seq) &&
    seq > 0 &&
    seq <= 0x7fff_ffff
  );
}

function purposeKey(secret: Buffer, purpose: TokenPurpose): Buffer {
  return hmac(createPads(hash('sha256', secret, 'buffer')), `reachout/token/1/${purpose}`);
}

/** Two one-shot hashes over prepared pads cost 1.4 us; `createHmac` costs 12. */
function createMac(key: Buffer, lowerCase: boolean): (text: string) => string {
  const pads = createPads(key);
  if (lowerCase) return (text) => base32(hmac(pads, text));
  return (text) => {
    writeInner(pads, text);
    return hash('sha256', pads.outer, 'base64url').slice(0, 22);
  };
}

interface Pads {
  inner: Buffer;
  outer: Buffer;
}

const blockBytes = 64;
const maxTextLength = 64;

function createPads(key: Buffer): Pads {
  const inner = Buffer.alloc(blockBytes + maxTextLength);
  const outer = Buffer.alloc(blockBytes + 32);
  key.copy(inner);
  key.copy(outer);
  for (let index = 0; index < blockBytes; index++) {
    inner[index]! ^= 0x36;
    outer[index]! ^= 0x5c;
  }
  return { inner, outer };
}

function writeInner(pads: Pads, text: string): void {
  const length = pads.inner.write(text, blockBytes, 'latin1');
  hash('sha256', pads.inner.subarray(0, blockBytes + length), 'buffer').copy(pads.outer, blockBytes);
}

function hmac(pads: Pads, text: string): Buffer {
  writeInner(pads, text);
  return hash('sha256', pads.outer, 'buffer');
}

const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first 130 bits as 26 characters (alphabet of RFC 4648 section 6, lower case). */
function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (let index = 0; text.length < 26;) {
    if (bits < 5) {
      value = ((value << 8) | bytes[index++]!) & 0xfff;
      bits += 8;
    }
    bits -= 5;
    text += base32Alphabet[(value >> bits) & 31]!;
  }
  return text;
}
