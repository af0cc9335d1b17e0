import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyAttempts } from './call-error.ts';
import type { Secrets } from './secrets.ts';

/**
 * How often something may be tried before it has to wait (AUTH-7, RATE-2): so many times in so many seconds. Invitations
 * are counted in the transaction that makes them (organizations/invitation.ts).
 */
const limits = {
  failed_sign_ins_of_account: { points: 10, duration: 15 * 60 },
  failed_sign_ins_of_network: { points: 50, duration: 15 * 60 },
  failed_sign_ins: { points: 1_000, duration: 60 },
  wrong_codes_of_network: { points: 50, duration: 15 * 60 },
  mails_to_address: { points: 5, duration: 60 * 60 },
  mails_for_network: { points: 20, duration: 60 * 60 },
  wrong_current_passwords: { points: 10, duration: 15 * 60 },
} as const;
export type LimitName = keyof typeof limits;

/** What is counted, and of whom: an address, a network, an organization. */
export type Attempt = readonly [name: LimitName, of: string];

/** Counters in the database, shared by all processes. */
export interface RateLimits {
  /**
   * Counts attempts before they are made, so that of many at once none slips through. Those that are refused by a
   * counter do not reach the ones after it.
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
  // Not from the pool of the calls: whoever waits for a counter holds nothing else up (TMO-2).
  const pool = new Pool({
    connectionString: appUrl,
    max: 3,
    application_name: 'reachout rate limits',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const limiters = new Map<LimitName, RateLimiterPostgres>();
  for (const [name, limit] of Object.entries(limits)) {
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
    limiters.set(name as LimitName, limiter);
  }
  // The table names nobody: it holds keyed hashes.
  const keyOf = (of: string) => secrets.hash('rate limits', of.toLowerCase());

  return {
    count: async (...attempts) => {
      for (const [name, of] of attempts) {
        try {
          await limiters.get(name)!.consume(keyOf(of));
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error;
          throw tooManyAttempts(Math.max(1, Math.ceil(error.msBeforeNext / 1_000)));
        }
      }
    },
    forgive: async (...attempts) => {
      for (const [name, of] of attempts) await limiters.get(name)!.reward(keyOf(of));
    },
    close: () => pool.end(),
  };
}

/**
 * The network that attempts are counted for: an IPv4 address, or the 64 bits of an IPv6 address that a customer line has,
 * since whoever has one address of those has them all.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(Math.max(0, 8 - groupsOf(head).length - groupsOf(tail).length)).fill('0');
  return [...groupsOf(head), ...zeros, ...groupsOf(tail)]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
