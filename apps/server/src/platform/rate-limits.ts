import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyAttempts } from './http/api-error.ts';
import { ConnectionPool } from './database/connection-pool.ts';
import { ipPrefixOf } from './ip-prefix.ts';
import type { Secrets } from './secrets.ts';

/**
 * How often something may be tried before it has to wait: so many times in so many seconds. `wide` is
 * how many of the 48 bits that an IPv6 site has, where `points` is for its single lines. Invitations are counted in the
 * transaction that makes them (organizations/invitation.ts).
 */
const limits = {
  failed_sign_ins_of_account: { points: 10, duration: 15 * 60 },
  /** Of one browser that signed in to this account before; counts in place of the three others. */
  failed_sign_ins_of_known_browser: { points: 10, duration: 15 * 60 },
  failed_sign_ins_of_network: { points: 50, duration: 15 * 60, wide: 200 },
  failed_sign_ins: { points: 1_000, duration: 60 },
  sign_ins_of_account: { points: 30, duration: 60 * 60 },
  provider_sign_ins_of_network: { points: 60, duration: 15 * 60, wide: 240 },
  wrong_codes_of_network: { points: 50, duration: 15 * 60, wide: 200 },
  /** Of each purpose. */
  mails_to_address: { points: 5, duration: 60 * 60 },
  mails_for_network: { points: 20, duration: 60 * 60, wide: 80 },
  wrong_current_passwords: { points: 10, duration: 15 * 60 },
  organizations_of_person: { points: 10, duration: 24 * 60 * 60 },
} as const satisfies Record<string, { points: number; duration: number; wide?: number }>;
export type LimitName = keyof typeof limits;

/** What is counted, and of whom: an address, a network, an organization. */
export type Attempt = readonly [name: LimitName, of: string];

/** Counters in the database, shared by all processes. */
export interface RateLimits {
  /**
   * Counts attempts before they are made, so that of many at once none slips through. One that a counter refuses is
   * not made: it reaches none of the counters after it, and those before it do not keep it.
   * @throws 429 `too_many_attempts`
   */
  count: (...attempts: readonly Attempt[]) => Promise<void>;
  /** Takes back what `count` counted, where only failures are to be counted and this was none. */
  forgive: (...attempts: readonly Attempt[]) => Promise<void>;
  close: () => Promise<void>;
}

export interface RateLimitOptions {
  /** Logs in as `reachout_app`. */
  appUrl: string;
  secrets: Secrets;
  onError: (error: Error) => void;
}

export function createRateLimits({ appUrl, secrets, onError }: RateLimitOptions): RateLimits {
  // Not from the pool of the operations: whoever waits for a counter holds nothing else up.
  const pool = new ConnectionPool({
    connectionString: appUrl,
    max: 3,
    application_name: 'reachout rate limits',
    statement_timeout: 5_000,
    onError,
  });
  const limiters = new Map<string, RateLimiterPostgres>();
  const addLimiter = (name: string, limit: { points: number; duration: number }) => {
    const limiter = new RateLimiterPostgres({
      ...limit,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: name,
      // Old counters are deleted by one of them for all.
      clearExpiredByTimeout: limiters.size === 0,
    });
    limiters.set(name, limiter);
  };
  for (const [name, { points, duration, ...more }] of Object.entries(limits)) {
    addLimiter(name, { points, duration });
    if ('wide' in more) addLimiter(`${name}/48`, { points: more.wide, duration });
  }
  // The table names nobody: it holds keyed hashes.
  const countersOf = (attempts: readonly Attempt[]) =>
    attempts
      .flatMap(([name, of]): [string, string][] => {
        const site = limiters.has(`${name}/48`) ? siteOf(of) : of;
        return site === of
          ? [[name, of]]
          : [
              [name, of],
              [`${name}/48`, site],
            ];
      })
      .map(([name, of]) => ({
        limiter: limiters.get(name)!,
        key: secrets.hash('rate limits', withoutTag(of.toLowerCase())),
      }));

  return {
    count: async (...attempts) => {
      const counters = countersOf(attempts);
      for (const [index, { limiter, key }] of counters.entries()) {
        try {
          await limiter.consume(key);
        } catch (error) {
          for (const earlier of counters.slice(0, index)) await earlier.limiter.reward(earlier.key);
          if (!(error instanceof RateLimiterRes)) throw error;
          throw tooManyAttempts(Math.max(1, Math.ceil(error.msBeforeNext / 1_000)));
        }
      }
    },
    forgive: async (...attempts) => {
      for (const { limiter, key } of countersOf(attempts)) await limiter.reward(key);
    },
    close: () => pool.end(),
  };
}

/** `ada+news@…` is read by whoever reads `ada@…`. */
const withoutTag = (of: string): string => of.replace(/\+[^@]*(?=@)/, '');

/**
 * The network that attempts are counted for: an IPv4 address, or the /64 of an IPv6 address, which one customer line has:
 * whoever has one address of those has them all.
 * @returns `unknown` for what is no address: all of those share one
 */
export const networkOf = (address: string): string =>
  ipPrefixOf(address, { ipv4: 32, ipv6: 64 })?.replace(/\/32$/, '') ?? 'unknown';

/** What belongs together beyond one line: the /48 of an IPv6 site. An IPv4 address is all there is of itself. */
export const siteOf = (network: string): string =>
  (network.endsWith('/64') ? ipPrefixOf(network.slice(0, -3), { ipv4: 32, ipv6: 48 }) : undefined) ?? network;
