import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { magicLink } from 'better-auth/plugins/magic-link';
import { Pool } from 'pg';
import type { Caller } from '../access/caller.ts';
import { deriveKey } from '../platform/config.ts';

export interface AuthOptions {
  /** Logs in as `reachout_app`. */
  appUrl: string;
  publicUrl: string;
  /** The origins that may make state-changing calls with a cookie: exact, no wildcards (AUTH-6). */
  origins: string[];
  secretKey: string;
  onError: (error: Error) => void;
}

/** All throw what went wrong underneath, such as a database that is away, instead of what the library makes of it. */
export interface Auth {
  handle: (request: Request) => Promise<Response>;
  /** Who the session cookie names; undefined without a valid one. */
  findCaller: (headers: Headers) => Promise<Caller | undefined>;
  /** Makes a link that signs this user in once, within ten minutes. For the operator's own terminal only. */
  makeSignInLink: (email: string) => Promise<string>;
  createUser: (user: { email: string; password: string; name: string }) => Promise<string>;
  close: () => Promise<void>;
}

/** The routes that are mounted, and nothing else that the library has (AUTH-6). */
export const authRoutes = [
  'POST /api/auth/sign-up/email',
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-out',
  'GET /api/auth/get-session',
  'GET /api/auth/magic-link/verify',
] as const;

/** However much a session is used, after this it asks for a new sign-in (SES-3). */
const longestSessionMs = 30 * 86_400_000;

/** Sign-in by e-mail and password, sessions in our own tables (stack.md section 6). */
export function createAuth({ appUrl, publicUrl, origins, secretKey, onError }: AuthOptions): Auth {
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
  const signInLinks = new Map<string, (url: string) => void>();
  const secure = publicUrl.startsWith('https://');
  const auth = betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: deriveKey(secretKey, 'sessions').toString('base64url'),
    trustedOrigins: origins,
    database: pool,
    telemetry: { enabled: false },
    // Its messages name people; what failed is thrown below, and logged by whoever answers (LOG-1).
    logger: {
      level: 'error',
      log: (_level, _message, ...details: unknown[]) =>
        note(details.find((detail) => detail instanceof Error)),
    },
    // Else it writes to the standard error what it did not expect.
    onAPIError: { throw: true },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 128, autoSignIn: true },
    user: {
      modelName: 'users',
      fields: {
        name: 'full_name',
        emailVerified: 'email_verified',
        image: 'avatar_url',
        createdAt: 'inserted_at',
        updatedAt: 'updated_at',
      },
      additionalFields: { status: { type: 'string', required: false, input: false } },
    },
    session: {
      modelName: 'sessions',
      expiresIn: 7 * 86_400,
      updateAge: 86_400,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      // Else an environment variable that says “test” turns them off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: () => crypto.randomUUID() },
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: secure ? '__Host-reachout_session' : 'reachout_session',
          attributes: { httpOnly: true, secure, sameSite: 'strict', path: '/' },
        },
      },
    },
    plugins: [
      magicLink({
        expiresIn: 600,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ email, url }) => signInLinks.get(email)?.(url),
      }),
    ],
  });

  return {
    handle: (request) =>
      failures.run({}, async () => {
        const response = await auth.handler(request);
        if (response.status < 500) return response;
        throw failures.getStore()?.error ?? new Error(`Sign-in answered ${response.status}.`);
      }),
    findCaller: (headers) =>
      failures.run({}, async () => {
        try {
          const found = await auth.api.getSession({ headers });
          // A suspension bites at the next request, whatever sessions there are (SES-4).
          if (found === null || found.user.status !== 'active') return undefined;
          const { id, createdAt } = found.session;
          if (Date.now() - createdAt.getTime() > longestSessionMs) return undefined;
          return { userId: found.user.id, session: { id, signedInAt: createdAt }, apiKey: undefined };
        } catch (error) {
          throw failures.getStore()?.error ?? error;
        }
      }),
    makeSignInLink: async (email) => {
      const link = new Promise<string>((resolve) => signInLinks.set(email, resolve));
      await auth.api.signInMagicLink({ body: { email, callbackURL: '/' }, headers: new Headers() });
      signInLinks.delete(email);
      return await link;
    },
    createUser: async (user) => (await auth.api.signUpEmail({ body: user })).user.id,
    close: () => pool.end(),
  };
}
