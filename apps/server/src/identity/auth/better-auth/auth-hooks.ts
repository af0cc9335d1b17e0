import type { BetterAuthOptions } from 'better-auth';
import { email, name } from '@reachout/contract/values.ts';
import { transactionAs, type Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { trustedDeviceCookie } from '../sign-in/trusted-device.ts';
import { recordSignIn } from '../sign-in/record-sign-in.ts';
import { findFactors } from '../second-factor/second-factor.queries.ts';
import { idleSessionMs, type NeededFactor } from '../sessions/session.ts';
import { findUserStatus } from '../sessions/sessions.queries.ts';

interface AuthHooksDeps {
  db: Database;
  publicUrl: string;
  secrets: Secrets;
  limits: RateLimits;
  recordNeededFactor: (needed: NeededFactor) => void;
}

/** Checks and writes for every new session, user and provider account, however it is created. */
export function createAuthHooks({ db, publicUrl, secrets, limits, recordNeededFactor }: AuthHooksDeps) {
  const known = trustedDeviceCookie(publicUrl, secrets);
  return {
    databaseHooks: {
      user: {
        create: {
          /** Of a provider: it may know a picture, which stays there, and names of any length. */
          before: async (user) => {
            if (!email.safeParse(user.email).success) return false;
            const shown = name.safeParse(user.name.slice(0, 120));
            return {
              data: { ...user, image: null, name: shown.success ? shown.data : user.email.split('@')[0]! },
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
            // Suspended people sign in by no way at all.
            if (user?.status !== 'active') return false;
            // A link comes from the operator's own terminal, and signs in without more.
            if (ctx?.path?.startsWith('/magic-link/') !== true) {
              const isProven = ctx?.path?.startsWith('/callback/') !== true && isFactorProven(ctx?.body);
              if (!isProven && (await hasSecondFactor(db, userId))) {
                const params = ctx?.params as Record<string, string> | undefined;
                recordNeededFactor({ userId, method: methodOf(ctx?.path, params, ctx?.body) });
                return false;
              }
              await limits.count(['sign_ins_of_account', userId]);
            }
            const userAgent = session.userAgent?.slice(0, 500);
            return {
              data: { ...session, userAgent, expiresAt: new Date(Date.now() + idleSessionMs) },
            };
          },
          after: async (session, ctx) => {
            if (ctx === null) throw new Error('A session was opened outside of a request.');
            const { context, path, params, body } = ctx;
            ctx.setCookie(known.name, known.newValue(session.userId), known.attributes);
            const replaced = await ctx.getSignedCookie(context.authCookies.sessionToken.name, context.secret);
            await recordSignIn(db, {
              userId: session.userId,
              id: session.id,
              replacedToken: typeof replaced === 'string' ? replaced : undefined,
              method: methodOf(path, params as Record<string, string> | undefined, body),
              origin: {
                ipAddress: session.ipAddress ?? undefined,
                userAgent: session.userAgent ?? undefined,
              },
            });
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

const isFactorProven = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'isFactorProven' in body && body.isFactorProven === true;

async function hasSecondFactor(db: Database, userId: string): Promise<boolean> {
  const { hasTotp, passkeys } = await transactionAs(db, { userId }, (trx) => findFactors(trx, userId));
  return hasTotp || passkeys > 0;
}

function methodOf(
  path: string | undefined,
  params: Record<string, string> | undefined,
  body: unknown,
): string {
  if (path?.startsWith('/callback/')) return params?.['id'] ?? 'provider';
  if (path?.startsWith('/magic-link/')) return 'link';
  return (body as { method: string }).method;
}
