import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { rateLimitPrefixOf, sitePrefixOf } from '../rate-limits/rate-limits.ts';

/** For whom this process keeps the body of a request, and its response. More is known of it as the request proceeds. */
export interface Requester {
  /** An IPv4 address, or the /48 of an IPv6 site. */
  readonly network: string;
  /** The user; an API key counts for the user who made it. */
  person?: string | undefined;
  tenant?: string | undefined;
  /** Whether it is of a program, with an API key or a content token. */
  isBulk?: boolean;
}

const requesters = new WeakMap<IncomingMessage, Requester>();
const current = new AsyncLocalStorage<Requester>();

/** @param request  `ip` as determined with the trusted proxies */
export function requesterOf({ raw, ip }: { raw: IncomingMessage; ip: string }): Requester {
  const known = requesters.get(raw);
  if (known !== undefined) return known;
  const requester = { network: networkOf(ip) };
  requesters.set(raw, requester);
  return requester;
}

/** By address: reading one takes as long as the rest of a small request. */
const networks = new LRUCache<string, string>({ maxSize: 5_000, sizeCalculation: () => 1 });

function networkOf(ip: string): string {
  const known = networks.get(ip);
  if (known !== undefined) return known;
  const network = sitePrefixOf(rateLimitPrefixOf(ip));
  networks.set(ip, network);
  return network;
}

/** Runs `work` such that `noteTenant` and `currentNetwork` reach this requester. */
export const runFor = (requester: Requester, work: () => void): void => current.run(requester, work);

/** The network of the current request, if there is one. */
export const currentNetwork = (): string => current.getStore()?.network ?? 'none';

/** Whether the current request is bulk work; false outside of requests. */
export const isBulkWork = (): boolean => current.getStore()?.isBulk === true;

/** Notes the tenant of the current request, once the caller is known to be one of its users. */
export function noteTenant(tenantId: string): void {
  const requester = current.getStore();
  if (requester !== undefined) requester.tenant = tenantId;
}
