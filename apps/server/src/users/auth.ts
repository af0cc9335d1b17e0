import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { hashPassword } from 'better-auth/crypto';
import { magicLink } from 'better-auth/plugins/magic-link';
import { Pool } from 'pg';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { deriveKey, type OAuthConfig } from '../platform/config.ts';
import { transactionAs, type Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createAuthHooks } from './auth-hooks.ts';
import { authTables } from './auth-tables.ts';
import { insertUser } from './credentials.queries.ts';
import {
  builtInProviders,
  discoveredProvider,
  isDiscovered,
  listProviders,
  type OfferedProvider,
} from './oauth-providers.ts';
import { longestSessionMs, touchSessionMs, type SignInMethod } from './session.ts';
import { touchSession } from './sessions.queries.ts';
import { retryUntil } from './retry-until.ts';

export interface AuthOptions {
  /** Logs in as `reachout_app`. */
  appUrl: string;
  db: Database;
  publicUrl: string;
  /** The origins that may make state-changing calls with a cookie: exact, no wildcards (AUTH-6). */
  origins: string[];
  secretKey: string;
  oauth: OAuthConfig;
  log: Log;
  onError: (error: Error) => void;
}

/** All throw what went wrong underneath, such as a database that is away, instead of what the library makes of it. */
export interface Auth {
  /** For the routes that the library answers itself (auth.routes.ts). */
  handle: (request: Request) => Promise<Response>;
  /** Who the session cookie names; undefined without a valid one. */
  findCaller: (headers: Headers) => Promise<Caller | undefined>;
  /**
   * Signs somebody in who has proven to be that user. A session that the same browser has for the same person ends.
   * @param headers  of the request, as `toAuthHeaders` passes them on
   * @returns the cookies to set
   */
  openSession: (headers: Headers, userId: string, method: SignInMethod) => Promise<string[]>;
  /** Providers that people can sign in with now. */
  providers: () => OfferedProvider[];
  /** Makes a link that signs this user in once, within ten minutes. For the operator's own terminal only. */
  makeSignInLink: (email: string) => Promise<string>;
  /** A user whose address needs no proof. */
  createUser: (user: { email: string; password: string; name: string }) => Promise<string>;
  close: () => Promise<void>;
}

/** The routes that are mounted, and nothing else that the library has (AUTH-6). */
export const authRoutes = [
  'GET /api/auth/options',
  'POST /api/auth/sign-up',
  'POST /api/auth/sign-up/confirm',
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-in/code',
  'POST /api/auth/sign-in/code/verify',
  'POST /api/auth/reset-password',
  'POST /api/auth/reset-password/new',
  'POST /api/auth/change-email/confirm',
  'POST /api/auth/sign-in/social',
  'GET /api/auth/callback/:provider',
  'POST /api/auth/sign-out',
  'GET /api/auth/get-session',
  'GET /api/auth/magic-link/verify',
] as const;

/** Carries the sender's network address to the library. Nobody else can set it: the request is made anew for it (INP-5). */
export const networkHeader = 'x-reachout-network';

/** Sessions, cookies and providers, by the library; in our own tables (stack.md section 6). */
export function createAuth(options: AuthOptions): Auth {
  const { appUrl, db, oauth, log, onError } = options;
  // The library compares dates itself: its pool keeps the driver's own types.
  const pool = new Pool({
    connectionString: appUrl,
    max: 5,
    application_name: 'reachout auth',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
  });
  pool.on('error', onError);
  // A connection that is lost while it is lent out says so here only, and unheard it would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const failures = new AsyncLocalStorage<{ error?: unknown }>();
  const note = (error: unknown) => {
    const failure = failures.getStore();
    if (failure !== undefined) failure.error ??= error;
  };
  const orFailure = async <T>(work: () => Promise<T>): Promise<T> =>
    await failures.run({}, async () => {
      try {
        return await work();
      } catch (error) {
        throw failures.getStore()?.error ?? error;
      }
    });
  const signInLinks = new Map<string, (url: string) => void>();
  const build = (withDiscovered: boolean) =>
    buildLibrary(options, { pool, note, signInLinks, withDiscovered });
  let library = build(false);
  let isOidcReady = false;

  // A provider that cannot be reached now must not hold up the others, nor the start.
  const { oidc } = oauth;
  const discovery =
    oidc === undefined
      ? undefined
      : retryUntil(async () => {
          const candidate = build(true);
          if (!(await isDiscovered(candidate.$context, oidc))) {
            log.warn({ issuer: oidc.issuer }, 'sign-in provider cannot be reached');
            return false;
          }
          library = candidate;
          isOidcReady = true;
          return true;
        });

  return {
    handle: (request) =>
      failures.run({}, async () => {
        const response = await library.handler(request);
        if (response.status < 500) return response;
        throw failures.getStore()?.error ?? new Error(`Sign-in answered ${response.status}.`);
      }),
    findCaller: (headers) =>
      orFailure(async () => {
        const found = await library.api.getSession({ headers });
        // A suspension bites at the next request, whatever sessions there are (SES-4).
        if (found === null || found.user.status !== 'active') return undefined;
        const { id, createdAt, lastUsedAt } = found.session;
        if (Date.now() - createdAt.getTime() > longestSessionMs) return undefined;
        if (Date.now() - (lastUsedAt?.getTime() ?? 0) > touchSessionMs)
          await transactionAs(db, { userId: found.user.id }, (trx) => touchSession(trx, id));
        return { userId: found.user.id, session: { id, signedInAt: createdAt }, apiKey: undefined };
      }),
    openSession: (headers, userId, method) =>
      orFailure(async () => {
        const answer = await library.api.openSession({
          body: { userId, method },
          headers,
          returnHeaders: true,
        });
        return answer.headers.getSetCookie();
      }),
    providers: () => listProviders(oauth, isOidcReady),
    makeSignInLink: async (email) => {
      const link = new Promise<string>((resolve) => signInLinks.set(email, resolve));
      await library.api.signInMagicLink({ body: { email, callbackURL: '/' }, headers: new Headers() });
      signInLinks.delete(email);
      return await link;
    },
    createUser: async ({ email, name, password }) => {
      const hash = await hashPassword(password);
      const user = { email: email.toLowerCase(), full_name: name, language: undefined, password: hash };
      const id = await transactionAs(db, {}, (trx) => insertUser(trx, user));
      if (id === undefined) throw new Error('This address has an account already.');
      return id;
    },
    close: async () => {
      discovery?.stop();
      await pool.end();
    },
  };
}

interface LibraryParts {
  pool: Pool;
  note: (error: unknown) => void;
  signInLinks: Map<string, (url: string) => void>;
  /** Its endpoints are looked up while the library starts. */
  withDiscovered: boolean;
}

function buildLibrary(
  { db, publicUrl, origins, secretKey, oauth }: AuthOptions,
  { pool, note, signInLinks, withDiscovered }: LibraryParts,
) {
  const secure = publicUrl.startsWith('https://');
  const cookie = (name: string, sameSite: 'strict' | 'lax') => ({
    name: secure ? `__Host-reachout_${name}` : `reachout_${name}`,
    attributes: { httpOnly: true, secure, sameSite, path: '/' },
  });
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: deriveKey(secretKey, 'sessions').toString('base64url'),
    trustedOrigins: origins,
    database: pool,
    telemetry: { enabled: false },
    // Its messages name people; what failed is thrown, and logged by whoever answers (LOG-1).
    logger: {
      level: 'error',
      log: (_level, _message, ...details: unknown[]) =>
        note(details.find((detail) => detail instanceof Error)),
    },
    // Else it writes to the standard error what it did not expect.
    onAPIError: { throw: true, errorURL: `${publicUrl}/auth/callback` },
    ...authTables,
    ...createAuthHooks(db),
    socialProviders: builtInProviders(oauth),
    advanced: {
      // Else an environment variable that says “test” turns them off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: () => crypto.randomUUID() },
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [networkHeader], ipv6Subnet: 128 },
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
        sendMagicLink: ({ email, url }) => signInLinks.get(email)?.(url),
      }),
      sessionOpener,
      ...(withDiscovered ? discoveredProvider(oauth) : []),
    ],
  });
}

/** A call of the library from inside only, for the ways to sign in that it does not have. */
const sessionOpener = {
  id: 'session-opener',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string(), method: z.string() }), requireHeaders: true },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.userId);
        const session = user === null ? null : await internalAdapter.createSession(user.id);
        if (user === null || session === null) throw new Error('The session could not be opened.');
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ opened: true });
      },
    ),
  },
};
