import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../platform/config.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { rateLimitPrefixOf, sitePrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { createRequestRate } from '../../platform/rate-limits/request-rate.ts';
import type { Caller } from './caller.ts';

/**
 * How much one network, person or organization may ask this process for. Each throws LimitExceeded
 * `too_many_requests`, after a delay: programs that repeat a refused request at once would otherwise take the time of
 * the process with refusals alone.
 */
export interface RequestLimits {
  /** @param cost  in requests; files of the web app cost less than one */
  countNetwork: (ipAddress: string, cost: number) => Promise<void>;
  /**
   * As much as of a person, before it is looked up whose it is.
   * @param credential  a cookie of a session, or an Authorization header, valid or not
   */
  countCredential: (credential: string) => Promise<void>;
  /** API keys have a limit each, apart from that of their owner. */
  countCaller: (caller: Caller) => Promise<void>;
  countOrganization: (organizationId: string) => Promise<void>;
}

/** Ten seconds' worth may come at once: a page that loads, a script that begins. */
const burstMs = 10_000;
/** Of each of the counters; an entry takes about 200 bytes. */
const maxKeys = 50_000;
/** An IPv6 site (/48) has 65,536 networks, and may ask for as much as four. */
const networksPerSite = 4;
/** Milliseconds; spread, so that requests which were refused together do not come back together. */
const refusalDelay = { min: 1_000, max: 1_900 };
/** More are refused without delay: each is an open request. */
const maxDelayed = 5_000;

export function createRequestLimits({ requestsPerMinute }: Pick<Config, 'requestsPerMinute'>): RequestLimits {
  const createRate = (perMinute: number) => createRequestRate({ perMinute, burstMs, maxKeys });
  const rates = {
    network: createRate(requestsPerMinute.network),
    site: createRate(requestsPerMinute.network * networksPerSite),
    credential: createRate(requestsPerMinute.person),
    person: createRate(requestsPerMinute.person),
    organization: createRate(requestsPerMinute.organization),
  };
  let delayed = 0;

  async function count(of: keyof typeof rates, key: string, cost = 1): Promise<void> {
    const waitMs = rates[of](key, cost);
    if (waitMs === 0) return;
    if (delayed < maxDelayed) {
      delayed += 1;
      await delay(refusalDelay.min + Math.random() * (refusalDelay.max - refusalDelay.min));
      delayed -= 1;
    }
    // A person mostly has one session: refused there, and by the same limit.
    const counted = of === 'credential' ? 'person' : of;
    throw new LimitExceeded(`requests of one ${counted}`, 'too_many_requests', retryAfter(waitMs));
  }

  return {
    countNetwork: async (ipAddress, cost) => {
      const prefix = rateLimitPrefixOf(ipAddress);
      const site = sitePrefixOf(prefix);
      await count('network', prefix, cost);
      if (site !== prefix) await count('site', site, cost);
    },
    // A header has up to 16 kB, anybody can invent one, and nobody should find those of others in memory.
    countCredential: (credential) => count('credential', hash('sha256', credential, 'base64')),
    countCaller: ({ userId, apiKey }) => count('person', apiKey?.id ?? userId),
    countOrganization: (organizationId) => count('organization', organizationId),
  };
}

/** For operations from inside. */
export const unlimitedRequests: RequestLimits = {
  countNetwork: () => Promise.resolve(),
  countCredential: () => Promise.resolve(),
  countCaller: () => Promise.resolve(),
  countOrganization: () => Promise.resolve(),
};
