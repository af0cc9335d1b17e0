import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { ConnectionPool } from '../../platform/database/connection-pool.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { createSharedLookups } from '../../platform/shared-lookups.ts';
import { createBetterAuth, sessionCookieOf, type AuthOptions } from './better-auth/better-auth.ts';
import { insertUser } from './users/credentials.queries.ts';
import { isDiscovered, listProviders, type OfferedProvider } from './oauth/oauth-providers.ts';
import { maxSessionMs, touchSessionMs, type NeededFactor, type ProveFactor } from './sessions/session.ts';
import { touchSession } from './sessions/sessions.queries.ts';
import { retryUntil } from './retry-until.ts';

/** All functions throw the cause of a failure, such as an unavailable database, instead of Better Auth's error. */
export interface Auth {
  /** For the routes that Better Auth serves itself (auth.routes.ts). */
  handle: (request: Request) => Promise<{ response: Response; neededFactor: NeededFactor | undefined }>;
  /** The session cookie, valid or not, without all other cookies. */
  sessionCookieOf: (cookies: string | undefined) => string | undefined;
  /** The caller of the session cookie; undefined without a valid one. */
  findCaller: (headers: Headers) => Promise<Caller | undefined>;
  /**
   * Opens a session for a user whose identity is proven. Ends an earlier session of the same user in the same browser.
   * @param headers  of the request, as `toAuthHeaders` returns them
   * @param method  for the audit log: a `SignInMethod`, or the id of a provider
   * @param proveFactor  uses up the proof of the second factor, after all other checks that can deny the session;
   *   throws if the proof is invalid
   * @returns the cookies to set, or 'second_factor_needed' if the user has a second factor that was not proven yet
   */
  openSession: (
    headers: Headers,
    userId: string,
    method: string,
    proveFactor?: ProveFactor,
  ) => Promise<string[] | 'second_factor_needed'>;
  /** Providers currently available for sign-in. */
  providers: () => OfferedProvider[];
  /** Creates a link that signs this user in once, within ten minutes. Only for the operator's terminal. */
  makeSignInLink: (email: string) => Promise<string>;
  /** Creates a user; the address counts as verified. */
  createUser: (user: { email: string; password: string; name: string; language?: string }) => Promise<string>;
  close: () => Promise<void>;
}

/** Sessions, cookies and providers by Better Auth, in our own tables. */
export function createAuth(options: AuthOptions): Auth {
  const { authUrl, db, authDb, oauth, passwords, onError } = options;
  // Better Auth compares dates itself: its pool keeps the driver's own types.
  const pool = new ConnectionPool({
    connectionString: authUrl,
    max: 5,
    application_name: 'reachout auth',
    connectionTimeoutMillis: options.connectTimeoutMs,
    silenceLimitMs: 20_000,
    onError,
  });
  const failures = createFailureRecord();
  const signInLinks = new Map<string, ((url: string) => void)[]>();
  const shareLookups = createSharedLookups<Caller | undefined>('look-ups of sessions');
  const build = (withDiscovered: boolean) =>
    createBetterAuth(options, {
      pool,
      recordError: failures.record,
      recordNeededFactor: failures.recordNeededFactor,
      signInLinks,
      withDiscovered,
    });
  let betterAuth = build(false);
  let isOidcReady = false;
  const discovery = discoverProvider(options, build, (discovered) => {
    betterAuth = discovered;
    isOidcReady = true;
  });

  return {
    handle: (request) =>
      failures.watch(async () => {
        const response = await betterAuth.handler(request);
        if (response.status < 500) return { response, neededFactor: failures.neededFactor() };
        throw new Error(`Better Auth responded with status ${response.status}.`);
      }),
    sessionCookieOf: (cookies) => sessionCookieOf(options.publicUrl, cookies),
    findCaller: async (headers) => {
      const cookie = sessionCookieOf(options.publicUrl, headers.get('cookie') ?? undefined);
      if (cookie === undefined) return undefined;
      // The cookie alone is the key: concurrent requests of one session share a look-up.
      return await shareLookups(cookie, () =>
        failures.watch(async () => {
          const found = await betterAuth.api.getSession({ headers: new Headers({ cookie }) });
          return await findSessionCaller(db, found);
        }),
      );
    },
    openSession: (headers, userId, method, proveFactor) =>
      failures.watch(async () => {
        const { headers: opened, response } = await betterAuth.api.openSession({
          body: { userId, method, proveFactor },
          headers,
          returnHeaders: true,
        });
        if (failures.neededFactor() !== undefined) return 'second_factor_needed';
        if (response.opened) return opened.getSetCookie();
        throw new Error('The session could not be opened.');
      }),
    providers: () => listProviders(oauth, isOidcReady),
    makeSignInLink: async (email) => {
      // Each of several concurrent calls gets a separate link.
      const waiting = signInLinks.get(email) ?? [];
      signInLinks.set(email, waiting);
      const link = new Promise<string>((resolve) => waiting.push(resolve));
      await betterAuth.api.signInMagicLink({ body: { email, callbackURL: '/' }, headers: new Headers() });
      if (waiting.length === 0) signInLinks.delete(email);
      return await link;
    },
    createUser: async ({ email, name, password, language }) => {
      const hash = await passwords.hashUnlimited(password);
      const user = { email: email.toLowerCase(), full_name: name, language, password: hash };
      const id = await transactionAs(authDb, {}, (trx) => insertUser(trx, user));
      if (id === undefined) throw new Error('This address has an account already.');
      return id;
    },
    close: async () => {
      discovery?.stop();
      await pool.end();
    },
  };
}

type BetterAuth = ReturnType<typeof createBetterAuth>;

/**
 * Records the first error that Better Auth logs during a call, and throws it in place of Better Auth's own error. Also
 * records the user for whom no session was opened because a second factor is needed.
 */
function createFailureRecord() {
  const failures = new AsyncLocalStorage<{ error?: unknown; neededFactor?: NeededFactor }>();
  return {
    recordNeededFactor: (needed: NeededFactor) => {
      const failure = failures.getStore();
      if (failure !== undefined) failure.neededFactor = needed;
    },
    neededFactor: () => failures.getStore()?.neededFactor,
    record: (error: unknown) => {
      const failure = failures.getStore();
      if (failure !== undefined) failure.error ??= error;
    },
    watch: async <T>(work: () => Promise<T>): Promise<T> =>
      await failures.run({}, async () => {
        try {
          return await work();
        } catch (error) {
          throw failures.getStore()?.error ?? error;
        }
      }),
  };
}

/** Retries until the generic provider is discovered, without delaying the start or the other providers. */
function discoverProvider(
  { oauth: { oidc }, log }: AuthOptions,
  build: (withDiscovered: true) => BetterAuth,
  onDiscovered: (discovered: BetterAuth) => void,
) {
  if (oidc === undefined) return undefined;
  return retryUntil(
    async () => {
      const candidate = build(true);
      const isFound = await isDiscovered(candidate.$context, oidc);
      if (isFound) onDiscovered(candidate);
      else log.warn({ issuer: oidc.issuer }, 'sign-in provider cannot be reached');
      return isFound;
    },
    (error) => log.warn({ err: error, issuer: oidc.issuer }, 'sign-in provider cannot be set up'),
  );
}

type FoundSession = Awaited<ReturnType<BetterAuth['api']['getSession']>>;

async function findSessionCaller(db: Database, found: FoundSession): Promise<Caller | undefined> {
  // A suspension takes effect with the next request, even for existing sessions.
  if (found === null || found.user.status !== 'active') return undefined;
  const { id, createdAt, lastUsedAt } = found.session;
  if (Date.now() - createdAt.getTime() > maxSessionMs) return undefined;
  if (Date.now() - (lastUsedAt?.getTime() ?? 0) > touchSessionMs)
    await limitedTransaction(db, { userId: found.user.id }, (trx) => touchSession(trx, id), 'access');
  return { userId: found.user.id, session: { id, signedInAt: createdAt }, apiKey: undefined };
}
