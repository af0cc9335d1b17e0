import type { IncomingHttpHeaders } from 'node:http';
import { ipPrefixOf } from '../../platform/ip-prefix.ts';

/** The stored data about the client of a request. */
export interface Client {
  userAgent: string | null;
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  ipPrefix: string | null;
}

const userAgentLimit = 200;

/** Whether the reader asks not to be tracked: `DNT: 1` or `Sec-GPC: 1`. */
export const objectsToTracking = (headers: IncomingHttpHeaders): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1';

/** @returns minimal data about the client, and none if the reader asks not to be tracked */
export function describeClient(headers: IncomingHttpHeaders, address: string): Client {
  if (objectsToTracking(headers)) return { userAgent: null, ipPrefix: null };
  return {
    userAgent: headers['user-agent']?.slice(0, userAgentLimit).toWellFormed() ?? null,
    ipPrefix: ipPrefixOf(address, { ipv4: 24, ipv6: 48 }) ?? null,
  };
}
