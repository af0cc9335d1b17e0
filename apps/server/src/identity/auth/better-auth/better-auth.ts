import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { magicLink } from 'better-auth/plugins/magic-link';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { OAuthConfig, SignUp } from '../../../platform/config.ts';
import { deriveKey } from '../../../platform/secret-key.ts';
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
  /** For data of one session or user. */
  db: Database;
  /** For users who do not exist yet. */
  authDb: Database;
  publicUrl: string;
  /** Origins that may send state-changing requests with a cookie: exact, no wildcards. */
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

/** Passes the client's IP address to Better Auth. Clients cannot set it: the server builds a new request. */
export const ipAddressHeader = 'x-reachout-ip-address';

interface BetterAuthParts {
  pool: Pool;
  recordError: (error: unknown) => void;
  recordNeededFactor: (needed: NeededFactor) => void;
  /** Callers that wait for a link, by address, first in, first out. */
  signInLinks: Map<string, ((url: string) => void)[]>;
  /** Whether to include the discovered provider, whose endpoints are looked up while Better Auth starts. */
  withDiscovered: boolean;
}

const cookieName = (publicUrl: string, name: string): string =>
  publicUrl.startsWith('https://') ? `__Host-reachout_${name}` : `reachout_${name}`;

/**
 * @returns the session cookie as `name=value`, without all others; if several have the name, the first, which is the
 *   one that Better Auth reads
 */
export function sessionCookieOf(publicUrl: string, cookies: string | undefined): string | undefined {
  const prefix = `${cookieName(publicUrl, 'session')}=`;
  return cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(prefix));
}

/** Better Auth with our tables, rules and providers; all its other features are disabled. */
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
    // Its messages contain personal data; the error is thrown, and logged by the caller.
    logger: {
      level: 'error',
      log: (_level, _message, ...details: unknown[]) =>
        recordError(details.find((detail) => detail instanceof Error)),
    },
    // Otherwise it writes unexpected errors to stderr.
    onAPIError: { throw: true, errorURL: `${publicUrl}/auth/callback` },
    ...authTables,
    user: { ...authTables.user, validateUserInfo: createUserCheck({ authDb, secrets, signUp }) },
    ...createAuthHooks({ db, authDb, publicUrl, signUp, secrets, limits, recordNeededFactor }),
    socialProviders: builtInProviders(oauth),
    advanced: {
      // Otherwise an environment variable with the value “test” disables them.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // Without joins, it writes failures between two reads to stderr, bypassing the logger. Validation would read all
      // columns of the database at each start, although our migrations created them.
      database: { generateId: () => crypto.randomUUID(), joins: true, validateSchema: false },
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [ipAddressHeader], ipv6Subnet: 128 },
      cookies: {
        session_token: cookie('session', 'strict'),
        // Must be sent when the provider redirects the browser back.
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

/** An internal Better Auth endpoint for sign-in methods that it does not have. */
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
