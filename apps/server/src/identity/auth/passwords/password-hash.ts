import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { sitePrefixOf } from '../../../platform/rate-limits/rate-limits.ts';
import { createConcurrencyLimiter } from '../../../platform/concurrency-limiter.ts';

/** scrypt parameters: a hash takes 128 * N * r bytes, and time proportional to N * r * p. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/** 128 MB for each hash (OWASP Password Storage Cheat Sheet, 2026). */
export const recommendedCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/**
 * Hashes and verifies passwords with limited concurrency: a hash occupies a core and 128 MB for a long time, and any
 * client can request one. `hash` and `verify` throw LimitExceeded if too many requests wait.
 */
export interface PasswordHasher {
  /** @param ipPrefix  of the requesting client */
  hash: (ipPrefix: string, password: string) => Promise<string>;
  /** @param given.hash  undefined if there is no password: takes as long, and returns false */
  verify: (ipPrefix: string, given: { hash: string | undefined; password: string }) => Promise<boolean>;
  /** Whether a hash has another cost than new ones. */
  isOutdated: (hash: string) => boolean;
  /** Without a limit, for the operator's terminal. */
  hashUnlimited: (password: string) => Promise<string>;
}

const maxWaitMs = 5_000;

/** At most 384 MB in total; leaves one of libuv's four threads for file system and DNS requests. */
const maxConcurrent = Math.min(availableParallelism(), 3);

export function createPasswordHasher(cost: ScryptCost): PasswordHasher {
  // Two hashes per network at a time, so that one network holds at most two places in the overall queue, however many
  // requests it sends.
  const limitPerIpPrefix = createConcurrencyLimiter({
    bound: 'password hashes of one network',
    maxConcurrent: 2,
    maxQueued: 20,
    maxWaitMs,
  });
  const limitOverall = createConcurrencyLimiter({
    bound: 'password hashes',
    maxConcurrent,
    maxQueued: 200,
    maxWaitMs,
  });
  const limited = <T>(ipPrefix: string, work: () => Promise<T>): Promise<T> =>
    limitPerIpPrefix(sitePrefixOf(ipPrefix), () => limitOverall('', work));
  const hashUnlimited = async (password: string): Promise<string> => {
    const salt = randomBytes(16);
    return format({ cost, salt, key: await derive(password, salt, cost) });
  };
  const nobodys = format({ cost, salt: randomBytes(16), key: randomBytes(keyBytes) });
  return {
    hash: (ipPrefix, password) => limited(ipPrefix, () => hashUnlimited(password)),
    hashUnlimited,
    verify: (ipPrefix, given) =>
      limited(ipPrefix, async () => {
        const stored = parse(given.hash ?? nobodys);
        const key = await derive(given.password, stored.salt, stored.cost);
        // Otherwise the shorter time of an older, cheaper hash would reveal that there is an account.
        const rest = Math.round(workOf(cost) / workOf(stored.cost)) - 1;
        if (rest > 0) await derive(given.password, stored.salt, { ...stored.cost, p: stored.cost.p * rest });
        return timingSafeEqual(key, stored.key) && given.hash !== undefined;
      }),
    isOutdated: (hash) => {
      const { N, r, p } = parse(hash).cost;
      return N !== cost.N || r !== cost.r || p !== cost.p;
    },
  };
}

const keyBytes = 64;

const workOf = ({ N, r, p }: ScryptCost): number => N * r * p;

const runScrypt = promisify<string, string | Buffer, number, object, Buffer>(scrypt);

const derive = (password: string, salt: string | Buffer, cost: ScryptCost): Promise<Buffer> =>
  runScrypt(password.normalize('NFKC'), salt, keyBytes, {
    ...cost,
    maxmem: 128 * cost.r * (cost.N + cost.p) * 2,
  });

interface StoredHash {
  cost: ScryptCost;
  /** A string in hashes of Better Auth. */
  salt: string | Buffer;
  key: Buffer;
}

/** PHC string format. */
const format = ({ cost, salt, key }: StoredHash & { salt: Buffer }): string =>
  `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${toBase64(salt)}$${toBase64(key)}`;

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Also parses Better Auth's format (salt and key in hexadecimal digits), which earlier versions stored. */
function parse(hash: string): StoredHash {
  const [, ln, r, p, salt = '', key = ''] =
    /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  if (ln !== undefined)
    return {
      cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
      salt: Buffer.from(salt, 'base64'),
      key: Buffer.from(key, 'base64'),
    };
  const [, hexSalt = '', hexKey = ''] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? [];
  if (hexSalt === '') throw new Error('This is no hash of a password.');
  return { cost: { N: 2 ** 14, r: 16, p: 1 }, salt: hexSalt, key: Buffer.from(hexKey, 'hex') };
}
