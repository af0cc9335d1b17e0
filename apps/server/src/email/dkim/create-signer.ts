import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { processNow } from '../../platform/process-clock.ts';
import { toCrlf } from '../encoding/line-breaks.ts';
import { PreparationError, type PrepareMessage } from '../transports/transport.ts';
import { type HeaderField, relaxBody, splitMessage } from './relaxed.ts';
import { namesToSign, signedText } from './signed-fields.ts';

export interface SignerOptions {
  /** `d=`: the domain of the sender addresses, as A-labels. */
  domain: string;
  /** `s=`: the key record is at `<selector>._domainkey.<domain>`. */
  selector: string;
  /** RSA of 2048 to 4096 bits, PKCS #8 in PEM. */
  privateKey: string;
}

const hostName = /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/;

/** With a callback, Node.js signs in a thread of its pool. */
const signInPool = promisify<string, Buffer, KeyObject, Buffer>(sign);

/**
 * @returns signs each message (DKIM, RFC 6376): rsa-sha256, relaxed/relaxed, the whole body, and the fields of `signed-fields.ts`
 * @throws PreparationError if the key cannot sign. So does signing, and a message of another domain rejects: nothing leaves unsigned
 */
export function createSigner({ domain, selector, privateKey }: SignerOptions): PrepareMessage {
  const unusable = (detail: unknown) =>
    new PreparationError(
      sendError('dkim_key_unusable', {
        domain,
        detail: detail instanceof Error ? detail.message : String(detail),
      }),
      { cause: detail },
    );
  if (!hostName.test(domain) || !hostName.test(selector))
    throw unusable(`${selector}._domainkey.${domain} is no name in DNS.`);
  let key: KeyObject;
  try {
    key = readSigningKey(privateKey);
  } catch (error) {
    throw unusable(error);
  }
  return async (outgoing) => {
    const fromDomain = outgoing.fromDomain?.toLowerCase() ?? domain;
    if (fromDomain !== domain) throw unusable(`The sender is at ${fromDomain}.`);
    // The transport would change other line breaks after the signature.
    const message = outgoing.isStrict === true ? outgoing.message : toCrlf(outgoing.message);
    const { bodyOffset } = outgoing.isStrict === true ? outgoing : {};
    const { fields, body } = splitMessage(message, bodyOffset);
    const names = namesToSign(fields);
    const bodyHash = hash('sha256', bodyOffset === undefined ? relaxBody(body) : body, 'base64');
    const unsigned = formatUnsigned({ domain, selector, names, bodyHash, signedAt: findDate(fields) });
    const text = signedText(fields, names, { name: 'dkim-signature', value: unsigned });
    const signature = await signInPool('sha256', text, key).catch((error: unknown) => {
      throw unusable(error);
    });
    const head = Buffer.from(formatSigned(unsigned, signature.toString('base64')), 'latin1');
    return {
      ...outgoing,
      message: Buffer.concat([head, message]),
      ...(bodyOffset === undefined ? {} : { bodyOffset: bodyOffset + head.length }),
    };
  };
}

/**
 * The Date of the message is a time of the database. The clock of this machine may be ahead, and receivers may ignore a
 * signature of the future (RFC 6376 section 3.5).
 */
function findDate(fields: readonly HeaderField[]): number {
  const written = Date.parse(fields.find(({ name }) => name === 'date')?.value ?? '');
  return Math.floor((Number.isNaN(written) ? processNow().getTime() : written) / 1000);
}

/** Recommended maximum of a header line without CRLF (RFC 5322 section 2.1.1). */
const lineLimit = 78;

export interface SignatureTags {
  domain: string;
  selector: string;
  /** Seconds since 1970. */
  signedAt: number;
  /** Names of the signed fields. */
  names: readonly string[];
  /** In base64. */
  bodyHash: string;
}

/** @returns the value of a DKIM-Signature (RFC 6376 section 3.5), folded, up to its empty `b=` */
export function formatUnsigned({ domain, selector, signedAt, names, bodyHash }: SignatureTags): string {
  const last = names.length - 1;
  const parts = [
    ' v=1;',
    ' a=rsa-sha256;',
    ' c=relaxed/relaxed;',
    ` d=${domain};`,
    ` s=${selector};`,
    ` t=${signedAt};`,
    ...names.map((name, index) => `${index === 0 ? ' h=' : ''}${name}${index === last ? ';' : ':'}`),
    ` bh=${bodyHash};`,
  ];
  let value = '';
  let column = 'DKIM-Signature:'.length;
  for (const part of parts) {
    if (column + part.length > lineLimit) {
      value += part.startsWith(' ') ? '\r\n' : '\r\n ';
      column = part.startsWith(' ') ? 0 : 1;
    }
    value += part;
    column += part.length;
  }
  return `${value}\r\n b=`;
}

/** @param signature  in base64 @returns the whole field with its CRLF */
export function formatSigned(unsigned: string, signature: string): string {
  // The first line begins with " b=", the others with a blank.
  const lines = `b=${signature}`.match(/.{1,77}/g) ?? [];
  return `DKIM-Signature:${unsigned.slice(0, -2)}${lines.join('\r\n ')}\r\n`;
}

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
  const digest = hash('sha256', pem, 'base64');
  const known = parsedKeys.get(digest);
  if (known !== undefined) return known;
  const key = createPrivateKey(pem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < leastBits || bits > mostBits)
    throw new Error(`It is not an RSA key of ${leastBits} to ${mostBits} bits.`);
  parsedKeys.set(digest, key);
  const [oldest = digest] = parsedKeys.keys();
  if (parsedKeys.size > mostKeys) parsedKeys.delete(oldest);
  return key;
}
