import { domainToUnicode } from 'node:url';
import { readWebsiteHost, isHostOf } from '@reachout/contract/rules/website-hosts.ts';
import type { Website } from '@reachout/contract/websites.ts';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { registrableDomainOf } from '../../../email/domains/domain-name.ts';
import { apiError, invalidInput, invalidTransition } from '../../../platform/http/api-error.ts';
import { inOrganization, type Transaction, type Database } from '../../../platform/database/database.ts';
import { newToken } from '../../../platform/secrets.ts';
import { assertTakesTouchpoints, touchCampaign } from '../../campaigns/campaign-status.ts';
import { setTouchpointStatus } from '../../touchpoints/touchpoint-status.ts';
import { lockCurrentTouchpoint, updateTouchpoint } from '../../touchpoints/touchpoint.queries.ts';
import {
  getTouchpointWebsite,
  updateTouchpointWebsite,
  listActiveHosts,
  type WebsiteSettings,
} from './touchpoint-website.queries.ts';
import { createCache } from '../../../platform/cache.ts';

// All of these functions throw 404 unless the touchpoint is a website that exists and is visible. Those that change one return
// the name of the touchpoint.

/** With the hosts as people write them. */
export async function getWebsiteSettings(
  trx: Transaction,
  touchpointId: string,
): Promise<WebsiteSettings & Pick<Website, 'linked_hosts'>> {
  const website = await getTouchpointWebsite(trx, touchpointId);
  return {
    ...website,
    hosts: website.hosts.map(toShownHost),
    linked_hosts: haveOneDomain(website.hosts) ? [] : website.hosts,
  };
}

/** Whether a cookie can be that of all hosts. A host without a domain is one in development. */
function haveOneDomain(hosts: readonly string[]): boolean {
  // Subdomains of `*.github.io` are domains of their own.
  const names = hosts.flatMap((host) => ['a', 'b'].map((label) => host.replace('*', label)));
  return new Set(names.map(registrableDomainOf).filter((domain) => domain !== null)).size <= 1;
}

/** @throws 422 for what is no host; 409 `host_missing` if none is left of an active website */
export async function changeHosts(
  trx: Transaction,
  touchpointId: string,
  typed: readonly string[],
): Promise<string> {
  const { name, status, campaign_id } = await lockWebsite(trx, touchpointId);
  const hosts = typed.map((text, index) => {
    const host = readWebsiteHost(text);
    if (host !== undefined) return host;
    throw invalidInput(
      `hosts.${index}`,
      'Use a host such as shop.example, *.shop.example or localhost:3000.',
    );
  });
  if (hosts.length === 0 && status === 'active') throw apiError('host_missing');
  await updateTouchpointWebsite(trx, touchpointId, { hosts: [...new Set(hosts)] });
  await updateTouchpoint(trx, touchpointId, {});
  await touchCampaign(trx, campaign_id);
  return name;
}

/** Gives the website a new token. */
export async function rotateWebsiteToken(trx: Transaction, touchpointId: string): Promise<string> {
  const { name } = await lockWebsite(trx, touchpointId);
  await updateTouchpointWebsite(trx, touchpointId, { token: newToken() });
  return name;
}

/**
 * Starts or resumes a website.
 * @throws 409 `invalid_transition`, `campaign_archived`; 409 `host_missing`
 */
export async function startWebsite(trx: Transaction, touchpointId: string): Promise<string> {
  const { name, type, status, campaign_id, hosts } = await lockWebsite(trx, touchpointId);
  if (!touchpointCan.start({ type, status })) throw invalidTransition(status, 'active');
  await assertTakesTouchpoints(trx, campaign_id);
  if (hosts.length === 0) throw apiError('host_missing');
  await setTouchpointStatus(trx, touchpointId, 'active');
  return name;
}

/** @throws 409 `invalid_transition` */
export async function pauseWebsite(trx: Transaction, touchpointId: string): Promise<string> {
  const { name, type, status } = await lockWebsite(trx, touchpointId);
  if (!touchpointCan.pause({ type, status })) throw invalidTransition(status, 'paused');
  await setTouchpointStatus(trx, touchpointId, 'paused');
  return name;
}

async function lockWebsite(trx: Transaction, touchpointId: string) {
  const touchpoint = await lockCurrentTouchpoint(trx, touchpointId);
  return { ...touchpoint, hosts: (await getTouchpointWebsite(trx, touchpointId)).hosts };
}

/** International names in their own script, where they can be told apart from others in it. */
export function toShownHost(host: string): string {
  const [, before = '', name = '', port = ''] = /^(\*\.)?(.*?)(:\d+)?$/.exec(host) ?? [];
  return before + (domainToUnicode(name) || name) + port;
}

/** Organizations whose hosts are kept in memory. */
const maxOrganizations = 1_000;
/** Time after which a website that was started, paused or deleted is noticed. */
const maxAgeMs = 15_000;

/** Whether a host, as in `URL.host`, is one of an active website of the organization. */
type TrackedHosts = (organizationId: string, host: string) => Promise<boolean>;

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
