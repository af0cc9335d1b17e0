import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../platform/config.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { noteTenant } from '../../platform/http/requester.ts';
import { rateLimitPrefixOf, sitePrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { createRequestRate } from '../../platform/rate-limits/request-rate.ts';
import type { Caller } from './caller.ts';

/**
 * Request rate limits of this process per network, user and organization. Each function throws LimitExceeded
 * `too_many_requests` after a delay: without it, clients that retry a rejected request at once would keep the process
 * busy with rejections alone.
 */
export interface RequestLimits {
  /** @param cost  in requests; files of the web app cost less than one */
  countNetwork: (ipAddress: string, cost: number) => Promise<void>;
  /**
   * Same limit as for a user, applied before the owner of the credential is looked up.
   * @param credential  a session cookie, or an Authorization header, valid or not
   */
  countCredential: (credential: string) => Promise<void>;
  /** Each API key has a limit separate from that of its owner. */
  countCaller: (caller: Caller) => Promise<void>;
  countOrganization: (organizationId: string) => Promise<void>;
}

/** Burst of ten seconds' worth of requests, for a page load or the start of a script. */
const burstMs = 10_000;
/** Maximum number of keys per counter; an entry takes about 200 bytes. */
const maxKeys = 50_000;
/** An IPv6 site (/48) has 65,536 networks; its limit is that of four networks. */
const networksPerSite = 4;
/** Milliseconds; randomized, so that requests rejected together are not retried together. */
const refusalDelay = { min: 1_000, max: 1_900 };
/** Maximum number of delayed rejections, each of which keeps a request open; further ones are sent without delay. */
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
    // Reported as `person`: a user mostly has one session, and the limit is the same.
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
    // Hashed: a header has up to 16 kB, clients can invent any, and credentials should not be readable in memory.
    countCredential: (credential) => count('credential', hash('sha256', credential, 'base64')),
    countCaller: ({ userId, apiKey }) => count('person', apiKey?.id ?? userId),
    countOrganization: (organizationId) => {
      noteTenant(organizationId);
      return count('organization', organizationId);
    },
  };
}

/** For internal operations. */
export const unlimitedRequests: RequestLimits = {
  countNetwork: () => Promise.resolve(),
  countCredential: () => Promise.resolve(),
  countCaller: () => Promise.resolve(),
  countOrganization: () => Promise.resolve(),
};
