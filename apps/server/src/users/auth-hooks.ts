import type { BetterAuthOptions } from 'better-auth';
import { email, name } from '@reachout/contract/values.ts';
import { transactionAs, type Database } from '../platform/database/database.ts';
import { recordSignIn } from './record-sign-in.ts';
import { idleSessionMs } from './session.ts';
import { findUserStatus } from './sessions.queries.ts';

/** What is checked and written whichever way a session, a person or a link to a provider comes about. */
export const createAuthHooks = (db: Database) =>
  ({
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
          // eslint-disable-next-line @typescript-eslint/require-await -- the library wants a promise
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
          before: async (session) => {
            const { userId } = session;
            const user = await transactionAs(db, { userId }, (trx) => findUserStatus(trx, userId));
            // Suspended people sign in by no way at all (SES-4).
            if (user?.status !== 'active') return false;
            const userAgent = session.userAgent?.slice(0, 500);
            return {
              data: { ...session, userAgent, expiresAt: new Date(Date.now() + idleSessionMs) },
            };
          },
          after: async (session, ctx) => {
            if (ctx === null) throw new Error('A session was opened outside of a request.');
            const { context, path, params, body } = ctx;
            const replaced = await ctx.getSignedCookie(context.authCookies.sessionToken.name, context.secret);
            await recordSignIn(db, {
              userId: session.userId,
              id: session.id,
              replacedToken: typeof replaced === 'string' ? replaced : undefined,
              method: methodOf(path, params as Record<string, string> | undefined, body),
              origin: {
                network: session.ipAddress ?? undefined,
                userAgent: session.userAgent ?? undefined,
              },
            });
          },
        },
      },
    },
  }) satisfies BetterAuthOptions;

function methodOf(
  path: string | undefined,
  params: Record<string, string> | undefined,
  body: unknown,
): string {
  if (path?.startsWith('/callback/')) return params?.['id'] ?? 'provider';
  if (path?.startsWith('/magic-link/')) return 'link';
  return (body as { method: string }).method;
}
