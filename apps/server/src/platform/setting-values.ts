import { isIP, isIPv6 } from 'node:net';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { Client } from 'pg';
import { z } from 'zod';
import { attempt } from './attempt.ts';
import { isLoopback } from './loopback.ts';

/**
 * Schemas of the values of settings. Each one returns the only form in which the rest of the server knows its value, so
 * that nothing is read twice, differently. The messages do not repeat the value, which can be a secret.
 */

const readBy = <T>(read: (text: string) => T | undefined, message: string) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue(message);
    return z.NEVER;
  });

/** Reads a list with commas; empty entries are ignored. */
export const listOf = <T>(read: (entry: string) => T | undefined, message: string) =>
  z
    .string()
    .transform(splitList)
    .pipe(z.array(readBy(read, message)))
    .transform((entries) => [...new Set(entries)]);

export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Digits only: `Number` also reads blanks, hexadecimal and exponents. */
export const wholeNumber = (min: number, max: number) =>
  readBy((text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  }, `must be a whole number from ${min} to ${max}`);

export const port = wholeNumber(0, 65_535);

/** Bounds the envelope sender, `b.TOKEN@host`, to the 254 characters of an address. */
const maxHostLength = 200;
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * @param text  without port
 * @returns a name in lower-case A-labels without the last dot, or an IP address, IPv6 in brackets
 */
function readHost(text: string): string | undefined {
  if (/[/?#@\\\s]|:(?!.*\])/.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? '';
  return host.startsWith('[') || (host.length <= maxHostLength && hostName.test(host)) ? host : undefined;
}

/** @returns the URL with its host as `readHost` returns it, also for the schemes whose hosts the URL parser leaves alone */
export function readUrl(text: string, protocols: RegExp): URL | undefined {
  const url = URL.parse(text);
  const host = url === null ? undefined : readHost(url.hostname);
  if (url === null || host === undefined || !protocols.test(url.protocol) || url.port === '0')
    return undefined;
  url.hostname = host;
  return url;
}

/** An address to listen on. */
export const listenHost = readBy(
  (text) => (isIPv6(text) ? text : readHost(text)?.replaceAll(/^\[|\]$/g, '')),
  'must be an address or name of this machine, such as 0.0.0.0 or ::1, without port',
);

/** Everything is served from the root of an origin, and requests are checked against that origin. */
export const webOrigin = readBy((text) => {
  const url = readUrl(text, /^https?:$/);
  return url !== undefined && isBare(url) && url.pathname === '/' && url.username + url.password === ''
    ? url.origin
    : undefined;
}, 'must be an origin without path, query and password, such as https://reachout.example');

/** An attacker who impersonates the issuer can sign in as any user: plain http is allowed for this machine only. */
export const issuerAddress = readBy((text) => {
  const url = readUrl(text, /^https?:$/);
  return url !== undefined &&
    isBare(url) &&
    url.username + url.password === '' &&
    (url.protocol === 'https:' || isLoopback(url.hostname))
    ? url.href.replace(/\/+$/, '')
    : undefined;
}, 'must be an address without query and password such as https://login.example; it must begin with https://');

/** @returns the URL with host in A-labels; user and password, both or none, can be decoded */
export const mailServer = readBy((text) => {
  const url = readUrl(text, /^smtps?:$/);
  if (url === undefined || !isBare(url) || !['', '/'].includes(url.pathname)) return undefined;
  const [user, password] = [url.username, url.password].map(decode);
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined;
  return url.href.replace(/\/$/, '');
}, 'must look like smtp://user:password@host:587, with user and password percent-encoded');

/** Searched by the client of PostgreSQL before the user and password of the URL, which the logins of the roles replace. */
const loginParameters = ['user', 'password'];

export const databaseAddress = readBy((text) => {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return undefined;
  if (loginParameters.some((name) => url.searchParams.has(name))) return undefined;
  try {
    // Decodes the URL and reads the certificates that it names, as each connection does.
    void new Client({ connectionString: text });
  } catch {
    return undefined;
  }
  return text;
}, 'must look like postgres://user:password@host/name, with user and password percent-encoded; files that it names must be readable');

/** An email address; its domain becomes A-labels. */
export function readMailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const address = `${text.slice(0, at)}@${readHost(text.slice(at + 1))}`;
  return isEmail(address) ? address : undefined;
}

/** As `readMailAddress`, and addresses of this machine, to which nobody can reply. */
export const mailSender = readBy(
  (text) =>
    text.toLowerCase().endsWith('@localhost')
      ? readMailAddress(`${text}.example`)?.replace(/\.example$/, '')
      : readMailAddress(text),
  'must be a plain address such as reachout@example.org',
);

/** A domain of email addresses, in lower-case A-labels, the form used to compare them. */
export function readDomain(text: string): string | undefined {
  const host = readHost(text);
  return host !== undefined && isEmail(`a@${host}`) ? host : undefined;
}

export const mailDomain = readBy(readDomain, 'must be a domain such as mail.example.org');

/** A name of a TXT record: a domain that can begin with an underscore. */
export const recordName = readBy((text) => {
  const prefix = text.startsWith('_') ? '_' : '';
  const domain = readDomain(text.slice(prefix.length));
  return domain === undefined ? undefined : prefix + domain;
}, 'must be a name such as _spf.example.org');

/** An address that other mail servers reach. */
export const publicAddress = readBy(readMailAddress, 'must be a plain address such as dmarc@example.org');

/** @returns `host` or `host:port` */
export function readPrivateHost(text: string): string | undefined {
  const [, name = '', portNumber] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = readHost(name);
  if (host === undefined || portNumber === undefined) return host;
  return Number(portNumber) > 0 && Number(portNumber) <= 65_535 ? `${host}:${Number(portNumber)}` : undefined;
}

/** @returns `address` or `address:port`, an IPv6 address with a port in brackets */
export function readNameServer(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const [, address = '', portNumber = ''] = /^(\[.+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = address.startsWith('[') ? isIPv6(address.slice(1, -1)) : isIP(address) === 4;
  if (!isAddress) return undefined;
  if (portNumber === '') return address.replaceAll(/^\[|\]$/g, '');
  return Number(portNumber) > 0 && Number(portNumber) <= 65_535
    ? `${address}:${Number(portNumber)}`
    : undefined;
}

/** An address or network of a proxy. A network of all addresses would let every client choose its own address. */
export function readProxy(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)
    ? text
    : undefined;
}

const isBare = ({ search, hash }: URL): boolean => search === '' && hash === '';

/** @returns undefined for what cannot be decoded, and for control characters, which end a command or a field of a login */
export const decode = (text: string): string | undefined =>
  attempt(() => {
    const decoded = decodeURIComponent(text);
    // oxlint-disable-next-line no-control-regex -- as above
    return /[\u0000-\u001f\u007f]/.test(decoded) ? undefined : decoded;
  }, undefined);
