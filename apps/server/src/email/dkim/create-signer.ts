import { hash, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { processNow } from '../../platform/process-clock.ts';
import { toCrlf } from '../encoding/line-breaks.ts';
import { PreparationError, type PrepareMessage } from '../transports/transport.ts';
import { relaxBody, splitMessage, type HeaderField } from './relaxed.ts';
import { formatSigned, formatUnsigned } from './signature-field.ts';
import { namesToSign, signedText } from './signed-fields.ts';
import { readSigningKey } from './signing-key.ts';

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
