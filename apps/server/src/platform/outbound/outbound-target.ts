import ipaddr from 'ipaddr.js';
import { isGlobalAddress } from './global-address.ts';
import { OutboundFailure } from './outbound-failure.ts';

/** Hosts of private networks that the operator allows, as PRIVATE_HOSTS lists them: `cms.internal` or `cms.internal:8055`. */
export interface PrivateHosts {
  has: (url: URL) => boolean;
  /** Whether a host name is listed with any port: look-ups know no port, and are not made for IP addresses. */
  hasName: (host: string) => boolean;
  /** Whether a host is listed, but not with the port of this URL, which is as private as the host. */
  hides: (url: URL) => boolean;
}

export function readPrivateHosts(entries: readonly string[]): PrivateHosts {
  const listed = new Set(entries);
  const names = new Set(entries.map((entry) => new URL(`http://${entry}`).hostname));
  const has = ({ hostname, port, protocol }: URL) =>
    listed.has(hostname) || listed.has(`${hostname}:${port === '' ? defaultPorts[protocol] : port}`);
  return {
    has,
    hasName: (host) => names.has(host),
    hides: (url) => names.has(url.hostname) && !has(url),
  };
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Parses a user-supplied URL. It must not contain credentials, and must be https on port 443 unless its host is listed.
 * The URL parser normalizes numeric hosts (octal, hexadecimal, short).
 * @param allowsHttp  whether http on port 80 is allowed, too
 * @throws OutboundFailure `address`, or `private` for an IP address
 */
export function readTarget(text: string, privateHosts: PrivateHosts, allowsHttp = false): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutboundFailure('address');
  }
  // A last dot names the same host, but is neither in PRIVATE_HOSTS nor in certificates.
  url.hostname = url.hostname.replace(/\.$/, '');
  if (privateHosts.has(url)) return url;
  if ((url.protocol !== 'https:' && !allowsHttp) || url.port !== '') throw new OutboundFailure('address');
  checkHost(url);
  return url;
}

/**
 * Checks a user-supplied host of another protocol, at any port.
 * @returns the host as `net.connect` takes it: normalized, without brackets
 * @throws OutboundFailure `address`, `name`, or `private` for an IP address
 */
export function readHost(text: string, port: number, privateHosts: PrivateHosts): string {
  const url = /^[^\s/\\?#@]+$/.test(text) ? URL.parse(`https://${text}:${port}`) : null;
  if (url === null) throw new OutboundFailure('address');
  url.hostname = url.hostname.replace(/\.$/, '');
  if (privateHosts.hides(url)) throw new OutboundFailure('name');
  if (!privateHosts.has(url)) checkHost(url);
  return hostOf(url);
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** An IP address is connected to without a look-up. @throws OutboundFailure `private` */
function checkHost(url: URL): void {
  const host = hostOf(url);
  if (ipaddr.isValid(host) && !isGlobalAddress(host)) throw new OutboundFailure('private');
}
