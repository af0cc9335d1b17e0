import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { magicLink } from 'better-auth/plugins/magic-link';
import type { Pool } from 'pg';
import { z } from 'zod';
import { deriveKey, type OAuthConfig, type SignUp } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { NeededFactor, ProveFactor } from '../sessions/session.ts';
import { createAuthHooks } from './auth-hooks.ts';
import { authTables } from './auth-tables.ts';
import type { PasswordHasher } from '../passwords/password-hash.ts';
import { builtInProviders, createUserCheck, discoveredProvider } from '../oauth/oauth-providers.ts';

export interface AuthOptions {
  /** Logs in as `reachout_auth`. */
  authUrl: string;
  /** For what belongs to one session or user. */
  db: Database;
  /** For users who are not there yet. */
  authDb: Database;
  publicUrl: string;
  /** The origins that may make state-changing operations with a cookie: exact, no wildcards. */
  origins: string[];
  secretKey: string;
  secrets: Secrets;
  limits: RateLimits;
  passwords: PasswordHasher;
  oauth: OAuthConfig;
  signUp: SignUp;
  log: Log;
  connectTimeoutMs: number;
  onError: (error: Error) => void;
}

/** Carries the sender's network address to Better Auth. Nobody else can set it: the request is made anew for it. */
export const ipAddressHeader = 'x-reachout-ip-address';

interface BetterAuthParts {
  pool: Pool;
  recordError: (error: unknown) => void;
  recordNeededFactor: (needed: NeededFactor) => void;
  /** Those who wait for a link, by address, the first one first. */
  signInLinks: Map<string, ((url: string) => void)[]>;
  /** Its endpoints are looked up while Better Auth starts. */
  withDiscovered: boolean;
}

const cookieName = (publicUrl: string, name: string): string =>
  publicUrl.startsWith('https://') ? `__Host-reachout_${name}` : `reachout_${name}`;

/**
 * The cookie of a session, as a request that carries nothing else would have it: the first one where several have the
 * name, which is the one that Better Auth reads.
 */
export function sessionCookieOf(publicUrl: string, cookies: string | undefined): string | undefined {
  const prefix = `${cookieName(publicUrl, 'session')}=`;
  return cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(prefix));
}

/** Better Auth with our tables, rules and providers; everything that it could do besides is left off. */
export function createBetterAuth(
  { db, authDb, publicUrl, origins, secretKey, secrets, limits, oauth, signUp }: AuthOptions,
  { pool, recordError, recordNeededFactor, signInLinks, withDiscovered }: BetterAuthParts,
) {
  const secure = publicUrl.startsWith('https://');
  const cookie = (name: string, sameSite: 'strict' | 'lax') => ({
    name: cookieName(publicUrl, name),
    attributes: { httpOnly: true, secure, sameSite, path: '/' },
  });
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: deriveKey(secretKey, 'sessions').toString('base64url'),
    trustedOrigins: origins,
    database: pool,
    telemetry: { enabled: false },
    // Its messages name people; what failed is thrown, and logged by the caller.
    logger: {
      level: 'error',
      log: (_level, _message, ...details: unknown[]) =>
        recordError(details.find((detail) => detail instanceof Error)),
    },
    // Else it writes to the standard error what it did not expect.
    onAPIError: { throw: true, errorURL: `${publicUrl}/auth/callback` },
    ...authTables,
    user: { ...authTables.user, validateUserInfo: createUserCheck({ authDb, secrets, signUp }) },
    ...createAuthHooks({ db, authDb, publicUrl, signUp, secrets, limits, recordNeededFactor }),
    socialProviders: builtInProviders(oauth),
    advanced: {
      // Else an environment variable that says “test” turns them off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // Without joins, it writes what fails between two reads to the standard error, past the logger. Validating would
      // read all columns of the database at each start, which our migrations have made.
      database: { generateId: () => crypto.randomUUID(), joins: true, validateSchema: false },
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [ipAddressHeader], ipv6Subnet: 128 },
      cookies: {
        session_token: cookie('session', 'strict'),
        // It has to come along when the provider sends the browser back.
        state: cookie('state', 'lax'),
      },
    },
    plugins: [
      magicLink({
        expiresIn: 600,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ email, url }) => signInLinks.get(email)?.shift()?.(url),
      }),
      sessionOpener,
      ...(withDiscovered ? discoveredProvider(oauth) : []),
    ],
  });
}

/** An endpoint of Better Auth for use from inside only, for the ways to sign in that it does not have. */
const sessionOpener = {
  id: 'session-opener',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      {
        method: 'POST',
        body: z.object({
          userId: z.string(),
          method: z.string(),
          proveFactor: z.custom<ProveFactor | undefined>(),
        }),
        requireHeaders: true,
      },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.userId);
        const session = user === null ? null : await internalAdapter.createSession(user.id);
        if (user === null || session === null) return ctx.json({ opened: false });
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ opened: true });
      },
    ),
  },
};
