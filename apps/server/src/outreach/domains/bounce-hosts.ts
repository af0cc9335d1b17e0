import { LRUCache } from 'lru-cache';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { isBounceHost } from './bounce-host.queries.ts';

/** A domain that is verified is known as long after that. */
const maxAgeMs = 60_000;
/** Strangers name hosts, too. */
const maxHosts = 10_000;

/**
 * @param bounceDomain  that of the installation
 * @returns whether mail to a host (A-labels in lower case) is returned mail. @throws the database error
 */
export function createBounceHosts(
  db: PipelinedDatabase,
  bounceDomain: string,
): (host: string) => Promise<boolean> {
  const known = new LRUCache<string, boolean>({ max: maxHosts, ttl: maxAgeMs });
  return async (host) => {
    if (host === bounceDomain) return true;
    if (!host.startsWith('bounce.')) return false;
    const found = known.get(host) ?? (await isBounceHost(db, host));
    known.set(host, found, { noUpdateTTL: true });
    return found;
  };
}
