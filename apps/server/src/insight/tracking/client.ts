import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** What is kept of who asked. */
export interface Client {
  userAgent: string | null;
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  network: string | null;
}

const userAgentLimit = 200;

/** Keeps little, and nothing of people who ask not to be tracked: `DNT: 1` or `Sec-GPC: 1`. */
export function describeClient(headers: IncomingHttpHeaders, address: string): Client {
  if (headers['dnt'] === '1' || headers['sec-gpc'] === '1') return { userAgent: null, network: null };
  return {
    userAgent: headers['user-agent']?.slice(0, userAgentLimit).toWellFormed() ?? null,
    network: truncateAddress(address) ?? null,
  };
}

/** @returns the network that an address is in: /24 for IPv4, /48 for IPv6; undefined when it is no address */
export function truncateAddress(address: string): string | undefined {
  const text = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(text)) return `${text.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(text)) return undefined;
  const [start = '', end] = text.split('::', 2);
  const groups = start === '' ? [] : start.split(':');
  // What `::` leaves out is zero.
  const missing = end === undefined ? 0 : 8 - groups.length - (end === '' ? 0 : end.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(end?.split(':') ?? [])];
  const network = all.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/48`;
}
