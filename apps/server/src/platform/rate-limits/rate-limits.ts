import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyAttempts } from '../http/api-error.ts';
import { ConnectionPool } from '../database/connection-pool.ts';
import { ipPrefixOf } from '../ip-prefix.ts';
import type { Secrets } from '../secrets.ts';

/**
 * Allows `points` attempts in `duration` seconds. `sitePoints` is the limit of a whole IPv6 site (/48), while `points`
 * is the limit of one network (/64).
 */
export interface RateLimit {
  points: number;
  duration: number;
  sitePoints?: number;
}

/**
 * The counter's name, and the address, network or person that it counts: a network also after the id of a record, as in
 * `ID 2001:db8::/64`. `points` replaces those of the limit, which must be as many at least.
 */
export type Attempt<Name extends string> = readonly [name: Name, of: string, points?: number];

/** Counters in the database, shared by all processes. */
export interface RateLimits<Name extends string> {
  /**
   * Counts attempts before they are made, so that concurrent ones are all counted. The first exceeded counter denies the
   * attempt: later counters do not count it, and earlier ones are refunded.
   * @throws 429 `too_many_attempts`
   */
  count: (...attempts: readonly Attempt<Name>[]) => Promise<void>;
  /** Undoes `count`, for attempts that succeeded where only failures are limited. */
  refund: (...attempts: readonly Attempt<Name>[]) => Promise<void>;
  close: () => Promise<void>;
}

export interface RateLimitOptions<Name extends string> {
  limits: Readonly<Record<Name, RateLimit>>;
  /** Logs in as `reachout_auth`. */
  authUrl: string;
  secrets: Secrets;
  /** Maximum wait for a connection; 2 s if unset. */
  connectTimeoutMs?: number;
  onError: (error: Error) => void;
}

export function createRateLimits<Name extends string>({
  limits,
  authUrl,
  secrets,
  connectTimeoutMs = 2_000,
  onError,
}: RateLimitOptions<Name>): RateLimits<Name> {
  // A separate pool, so that waiting for a counter does not delay operations.
  const pool = new ConnectionPool({
    connectionString: authUrl,
    max: 3,
    connectionTimeoutMillis: connectTimeoutMs,
    silenceLimitMs: 20_000,
    application_name: 'reachout rate limits',
    onError,
  });
  const limiters = createLimiters(limits, pool);
  // The table holds keyed hashes, so that it contains no addresses.
  const countersOf = (attempts: readonly Attempt<Name>[]) =>
    attempts
      .flatMap(([name, of, points]): [string, string, number | undefined][] => {
        const sitePrefix = limiters.has(`${name}/48`) ? sitePrefixOf(of) : of;
        const { points: own, sitePoints = own } = limits[name];
        return sitePrefix === of
          ? [[name, of, points]]
          : [
              [name, of, points],
              [`${name}/48`, sitePrefix, points && Math.floor((points * sitePoints) / own)],
            ];
      })
      .map(([name, of, points]) => ({
        limiter: limiters.get(name)!,
        key: secrets.hash('rate limits', withoutTag(of.toLowerCase())),
        points,
      }));

  return {
    count: async (...attempts) => {
      const counters = countersOf(attempts);
      for (const [index, { limiter, key, points }] of counters.entries()) {
        try {
          const counted = await limiter.consume(key);
          if (points !== undefined && counted.consumedPoints > points) throw counted;
        } catch (error) {
          for (const earlier of counters.slice(0, index)) await earlier.limiter.reward(earlier.key);
          if (!(error instanceof RateLimiterRes)) throw error;
          throw tooManyAttempts(Math.max(1, Math.ceil(error.msBeforeNext / 1_000)));
        }
      }
    },
    refund: async (...attempts) => {
      for (const { limiter, key } of countersOf(attempts)) await limiter.reward(key);
    },
    close: () => pool.end(),
  };
}

/** Creates a limiter for each limit, and a second one for the sites if it has `sitePoints`. */
function createLimiters(
  limits: Readonly<Record<string, RateLimit>>,
  pool: ConnectionPool,
): Map<string, RateLimiterPostgres> {
  const limiters = new Map<string, RateLimiterPostgres>();
  const addLimiter = (name: string, limit: { points: number; duration: number }) => {
    const limiter = new RateLimiterPostgres({
      ...limit,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: name,
      // One limiter deletes the expired counters of all.
      clearExpiredByTimeout: limiters.size === 0,
    });
    limiters.set(name, limiter);
  };
  for (const [name, { points, duration, sitePoints }] of Object.entries(limits)) {
    addLimiter(name, { points, duration });
    if (sitePoints !== undefined) addLimiter(`${name}/48`, { points: sitePoints, duration });
  }
  return limiters;
}

/** Removes the tag of an address: `ada+news@…` and `ada@…` have the same reader. */
const withoutTag = (of: string): string => of.replace(/\+[^@]*(?=@)/, '');

/**
 * The IP prefix that attempts are counted by: an IPv4 address, or the /64 of an IPv6 address. One customer line has a
 * whole /64 and can use all of its addresses.
 * @returns `unknown` if the text is not an address; all of these share one counter
 */
export const rateLimitPrefixOf = (address: string): string =>
  ipPrefixOf(address, { ipv4: 32, ipv6: 64 })?.replace(/\/32$/, '') ?? 'unknown';

/** @returns the /48 of an IPv6 site, which may contain many networks; an IPv4 address is returned unchanged */
export function sitePrefixOf(network: string): string {
  const at = network.lastIndexOf(' ') + 1;
  const site = network.endsWith('/64')
    ? ipPrefixOf(network.slice(at, -3), { ipv4: 32, ipv6: 48 })
    : undefined;
  return site === undefined ? network : network.slice(0, at) + site;
}
