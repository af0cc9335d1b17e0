import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { BetterAuthOptions } from 'better-auth';
import { email, name } from '@reachout/contract/values.ts';
import type { SignUp } from '../../../platform/config.ts';
import { newId } from '../../../platform/ids.ts';
import { transactionAs, type Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { trustedDeviceCookie } from '../sign-in/trusted-device.ts';
import { admitNewAccount } from '../sign-in/sign-up-invitation.ts';
import { findLinkHashes } from '../oauth/oauth-providers.ts';
import { recordSignIn } from '../sign-in/record-sign-in.ts';
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts';
import { idleSessionMs, type NeededFactor, type ProveFactor } from '../sessions/session.ts';
import { findUserStatus } from '../sessions/sessions.queries.ts';

interface AuthHooksDeps {
  db: Database;
  /** For users who do not exist yet. */
  authDb: Database;
  publicUrl: string;
  signUp: SignUp;
  secrets: Secrets;
  limits: RateLimits;
  recordNeededFactor: (needed: NeededFactor) => void;
}

/** Hooks for every new session, user and provider account, however it is created. */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one hook after the other
export function createAuthHooks({
  db,
  authDb,
  publicUrl,
  signUp,
  secrets,
  limits,
  recordNeededFactor,
}: AuthHooksDeps) {
  const known = trustedDeviceCookie(publicUrl, secrets);
  const admit = async (address: string, userId: string): Promise<boolean> => {
    const linkHashes = await findLinkHashes(secrets);
    return await transactionAs(authDb, {}, (trx) =>
      admitNewAccount(trx, { email: address.toLowerCase(), linkHashes, userId }),
    );
  };
  return {
    databaseHooks: {
      user: {
        create: {
          /** For users from a provider: its picture is not used, and its names may have any length. */
          before: async (user) => {
            if (!email.safeParse(user.email).success) return false;
            const id = newId();
            if (signUp === 'invited' && !(await admit(user.email, id))) return false;
            const shown = name.safeParse(cutText(user.name, 120));
            return {
              data: {
                ...user,
                id,
                image: null,
                name: shown.success ? shown.data : user.email.split('@')[0]!,
              },
            };
          },
        },
      },
      account: {
        create: {
          before: async (account) => ({
            data: {
              ...account,
              accessToken: null,
              refreshToken: null,
              idToken: null,
              accessTokenExpiresAt: null,
              refreshTokenExpiresAt: null,
            },
          }),
        },
      },
      session: {
        create: {
          /** @throws 429 `too_many_attempts` */
          before: async (session, ctx) => {
            const { userId } = session;
            const user = await transactionAs(db, { userId }, (trx) => findUserStatus(trx, userId));
            // Suspended users cannot sign in by any method.
            if (user?.status !== 'active') return false;
            // A link comes from the operator's terminal, and signs in without further checks.
            if (!isLink(ctx)) {
              const proveFactor = proofOf(ctx);
              if (
                proveFactor === undefined &&
                (await transactionAs(db, { userId }, (trx) => hasSecondFactor(trx, userId)))
              ) {
                recordNeededFactor({ userId, method: methodOf(ctx) });
                return false;
              }
              const counted = ['sign_ins_of_account', userId] as const;
              await limits.count(counted);
              // Last, so that a code is not used up for a session that is denied.
              await proveFactor?.().catch(async (error: unknown) => {
                await limits.refund(counted);
                throw error;
              });
            }
            const userAgent = session.userAgent?.slice(0, 500);
            return {
              data: { ...session, userAgent, expiresAt: new Date(Date.now() + idleSessionMs) },
            };
          },
          after: async (session, ctx) => {
            if (ctx === null) throw new Error('A session was opened outside of a request.');
            const { context } = ctx;
            const { userId } = session;
            const method = methodOf(ctx);
            const replaced = await ctx.getSignedCookie(context.authCookies.sessionToken.name, context.secret);
            const isRecorded = await recordSignIn(db, {
              userId,
              id: session.id,
              isFactorProven: isLink(ctx) || proofOf(ctx) !== undefined,
              replacedToken: typeof replaced === 'string' ? replaced : undefined,
              method,
              origin: {
                ipAddress: session.ipAddress ?? undefined,
                userAgent: session.userAgent ?? undefined,
              },
            });
            if (isRecorded) ctx.setCookie(known.name, known.newValue(userId), known.attributes);
            else recordNeededFactor({ userId, method });
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

/** The part of a request to Better Auth that shows the sign-in method; null outside of requests. */
type SignInRequest = { path?: string | undefined; params?: unknown; body?: unknown } | null;

const isLink = (request: SignInRequest): boolean => request?.path?.startsWith('/magic-link/') === true;
const isProviderCallback = (request: SignInRequest): boolean =>
  request?.path?.startsWith('/callback/') === true;

/** Only the internal endpoint takes a proof. */
function proofOf(request: SignInRequest): ProveFactor | undefined {
  if (isProviderCallback(request) || isLink(request)) return undefined;
  const { proveFactor } = (request?.body ?? {}) as { proveFactor?: ProveFactor };
  // Any other value in a body proves nothing.
  return typeof proveFactor === 'function' ? proveFactor : undefined;
}

function methodOf(request: SignInRequest): string {
  if (isProviderCallback(request)) return (request?.params as { id?: string } | undefined)?.id ?? 'provider';
  if (isLink(request)) return 'link';
  const body = request?.body as { method: string };
  return body.method;
}
