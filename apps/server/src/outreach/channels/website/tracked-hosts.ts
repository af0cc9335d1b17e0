import { isHostOf } from '@reachout/contract/rules/website-hosts.ts';
import { createCache } from '../../../platform/cache.ts';
import { inOrganization, type Database } from '../../../platform/database/database.ts';
import { listActiveHosts } from './touchpoint-website.queries.ts';

/** Organizations whose hosts are kept in memory. */
const maxOrganizations = 1_000;
/** Time after which a website that was started, paused or deleted is noticed. */
const maxAgeMs = 15_000;

/** Whether a host, as in `URL.host`, is one of an active website of the organization. */
export type TrackedHosts = (organizationId: string, host: string) => Promise<boolean>;

export function createTrackedHosts(db: Database): TrackedHosts {
  const hostsOf = createCache(
    maxOrganizations,
    async (organizationId: string): Promise<ReadonlySet<string>> =>
      new Set(await inOrganization(db, organizationId, (trx) => listActiveHosts(trx, organizationId))),
    maxAgeMs,
  );
  return async (organizationId, host) => {
    const hosts = await hostsOf(organizationId);
    return hosts !== undefined && hosts.size > 0 && isHostOf(hosts, host);
  };
}
