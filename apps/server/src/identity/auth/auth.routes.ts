import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { newPassword, PasskeyAssertion, secondFactorCode } from '@reachout/contract/me.ts';
import { email as emailValue, name } from '@reachout/contract/values.ts';
import { badRequest, invalidInputs, notFound } from '../../platform/http/api-error.ts';
import { transactionAs } from '../../platform/database/database.ts';
import { originOf } from '../access/caller.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import type { SignUp } from '../../platform/config.ts';
import { authRoutes } from './auth.ts';
import type { DemoOffer } from './demo-offer.ts';
import {
  forwardToBetterAuth,
  forwardProviderCallback,
  toAuthHeaders,
} from './better-auth/better-auth.routes.ts';
import { pendingAuthCookies } from './sign-in/pending-auth-cookie.ts';
import { rateLimitPrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { confirmEmail } from './change-email/change-email.ts';
import { isFromThisMachine } from '../../platform/http/local-request.ts';
import { trustedDeviceCookie } from './sign-in/trusted-device.ts';
import { languageOf } from './emails/email-language.ts';
import { validForMs } from './one-time-tokens/one-time-token.ts';
import { requestReset, resetPassword } from './passwords/reset-password.ts';
import { describeSession } from './sessions/sessions.queries.ts';
import { requestCode, verifyCode } from './sign-in/sign-in-code.ts';
import type { PendingAuthKind, Browser, SignInDeps } from './sign-in-deps.ts';
import { signInWithPassword } from './sign-in/sign-in.ts';
import {
  describeSecondStep,
  finishByCode,
  startSecondStep,
  type SignInStep,
} from './second-factor/second-step.ts';
import { signInWithPasskey, startPasskeySignIn } from './second-factor/sign-in-with-passkey.ts';
import { confirmSignUp, requestSignUp } from './sign-in/sign-up.ts';
import { describeInvited, signUpByInvitation } from './sign-in/sign-up-by-invitation.ts';

const email = emailValue.toLowerCase();
const token = z.string().min(1).max(200);
/** Passwords set under earlier rules are accepted; longer input is rejected without a check. */
const givenPassword = z.string().min(1, 'Enter your password.').max(128, 'Use at most 128 characters.');

const bodies = {
  signUp: z.strictObject({ name, email, password: newPassword, link_token: token.optional() }),
  confirmSignUp: z.strictObject({ token, password: givenPassword.optional() }),
  invitation: z.strictObject({ token, proof: token }),
  signUpInvited: z.strictObject({ token, proof: token, name, password: newPassword }),
  signIn: z.strictObject({ email, password: givenPassword }),
  requestCode: z.strictObject({ email }),
  verifyCode: z.strictObject({
    code: z.string().regex(/^\d{6}$/, 'Enter the six digits of the code.'),
  }),
  secondFactor: z.strictObject({ code: secondFactorCode }),
  requestReset: z.strictObject({ email }),
  resetPassword: z.strictObject({ token, password: newPassword }),
  confirmEmail: z.strictObject({ token, password: givenPassword.optional() }),
  signInAtProvider: z.strictObject({ provider: z.string().max(40), callbackURL: z.string().max(2_000) }),
};

export interface AuthRoutesDeps extends SignInDeps {
  config: { publicUrl: string; signUp: SignUp };
  /** Whether a browser can read account email in the system inbox; null where there is none. @param cookies  as below */
  offerSystemMailbox: (cookies: string | undefined) => 'open' | 'needs_link' | null;
  /** @param cookies  Cookie header of a request */
  offerDemo: (cookies: string | undefined) => Promise<DemoOffer>;
}

/** Registers the routes of `authRoutes` under /api/auth; no other route of Better Auth is exposed. */
export function registerAuthRoutes(app: FastifyInstance, deps: AuthRoutesDeps): void {
  sendApiErrors(app);
  forbidCaching(app);
  const handlers = createHandlers(deps);
  for (const route of authRoutes) {
    const [method = '', url = ''] = route.split(' ');
    app.route({ method, url, handler: handlers[route] });
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function createHandlers(deps: AuthRoutesDeps): Record<(typeof authRoutes)[number], Handler> {
  const { auth, config } = deps;
  const cookies = pendingAuthCookies(config.publicUrl);
  const known = trustedDeviceCookie(config.publicUrl, deps.secrets);
  const browserOf = (request: FastifyRequest): Browser => ({
    headers: toAuthHeaders(request),
    ipPrefix: rateLimitPrefixOf(request.ip),
    language: languageOf(request.headers['accept-language']),
    trustedDevice: known.read(request.headers.cookie),
    pendingAuth: (kind) => cookies.read(kind, request.headers.cookie),
  });
  const remember = (reply: FastifyReply, kind: PendingAuthKind, pendingAuth: string) =>
    reply.header('set-cookie', cookies.write(kind, pendingAuth));
  const signedIn = (reply: FastifyReply, step: SignInStep) => {
    if ('pendingAuth' in step) {
      remember(reply, 'second_factor', step.pendingAuth);
      return { status: 'second_factor_needed' };
    }
    reply.header('set-cookie', step.sessionCookies);
    return { status: 'signed_in' };
  };

  return {
    'GET /api/auth/options': async (request) => {
      const demo = await deps.offerDemo(request.headers.cookie);
      // Others need not know what only the person at this machine can open.
      const isHere = isFromThisMachine(request);
      return {
        providers: auth.providers(),
        sign_up: config.signUp,
        local_mailbox: isHere ? deps.offerSystemMailbox(request.headers.cookie) : null,
        demo: demo === 'needs_link' && !isHere ? null : demo,
      };
    },
    'POST /api/auth/sign-up': async (request, reply) => {
      const pendingAuth = await requestSignUp(deps, read(bodies.signUp, request), browserOf(request));
      remember(reply, 'sign_up', pendingAuth);
      return { status: 'check_inbox' };
    },
    'POST /api/auth/sign-up/confirm': async (request, reply) =>
      signedIn(reply, await confirmSignUp(deps, read(bodies.confirmSignUp, request), browserOf(request))),
    'POST /api/auth/sign-up/invitation': (request) => describeInvited(deps, read(bodies.invitation, request)),
    'POST /api/auth/sign-up/invited': async (request, reply) => {
      const { step, organizationId } = await signUpByInvitation(
        deps,
        read(bodies.signUpInvited, request),
        browserOf(request),
        originOf(request),
      );
      return { ...signedIn(reply, step), organization_id: organizationId };
    },
    'POST /api/auth/sign-in/email': async (request, reply) =>
      signedIn(reply, await signInWithPassword(deps, read(bodies.signIn, request), browserOf(request))),
    'POST /api/auth/sign-in/code': async (request, reply) => {
      const pendingAuth = await requestCode(
        deps,
        read(bodies.requestCode, request).email,
        browserOf(request),
      );
      remember(reply, 'sign_in_code', pendingAuth);
      return { status: 'check_inbox', expires_in: validForMs.sign_in_code / 1_000 };
    },
    'POST /api/auth/sign-in/code/verify': async (request, reply) =>
      signedIn(reply, await verifyCode(deps, read(bodies.verifyCode, request).code, browserOf(request))),
    'GET /api/auth/sign-in/second-factor': (request) => describeSecondStep(deps, browserOf(request)),
    'POST /api/auth/sign-in/second-factor': async (request, reply) => {
      const { code } = read(bodies.secondFactor, request);
      return signedIn(reply, { sessionCookies: await finishByCode(deps, code, browserOf(request)) });
    },
    'POST /api/auth/sign-in/passkey/options': (request) => startPasskeySignIn(deps, browserOf(request)),
    'POST /api/auth/sign-in/passkey': async (request, reply) => {
      const assertion = read(PasskeyAssertion, request);
      return signedIn(reply, {
        sessionCookies: await signInWithPasskey(deps, assertion, browserOf(request)),
      });
    },
    'POST /api/auth/reset-password': async (request) => {
      await requestReset(deps, read(bodies.requestReset, request).email, browserOf(request));
      return { status: 'check_inbox' };
    },
    'POST /api/auth/reset-password/new': async (request) => {
      const keys = await resetPassword(deps, read(bodies.resetPassword, request), browserOf(request));
      return { status: 'changed', api_keys: keys };
    },
    'POST /api/auth/change-email/confirm': async (request) => ({
      email: await confirmEmail(deps, read(bodies.confirmEmail, request), browserOf(request)),
    }),
    'POST /api/auth/sign-in/social': async (request, reply) => {
      const { provider, callbackURL } = read(bodies.signInAtProvider, request);
      requireProvider(deps, provider);
      await deps.limits.count(['provider_sign_ins_of_ip_prefix', rateLimitPrefixOf(request.ip)]);
      const body = { provider, callbackURL: sameOriginPath(callbackURL, config.publicUrl) };
      return await forwardToBetterAuth(deps, request, reply, body);
    },
    'GET /api/auth/callback/:provider': async (request, reply) => {
      requireProvider(deps, (request.params as { provider: string }).provider);
      const needed = await forwardProviderCallback(deps, request, reply);
      if (needed === undefined) return reply;
      remember(reply, 'second_factor', await startSecondStep(deps, needed.userId, needed.method));
      return await reply.redirect(`${config.publicUrl}/sign-in/second-factor`, 302);
    },
    'POST /api/auth/sign-out': (request, reply) => {
      // Browsers cache avatars and logos for a day: the next user of this machine must not get them.
      reply.header('clear-site-data', '"cache"');
      return forwardToBetterAuth(deps, request, reply, {});
    },
    'GET /api/auth/get-session': async (request, reply) => {
      const { userId, session } = (await auth.findCaller(toAuthHeaders(request))) ?? {};
      const found =
        session === undefined
          ? undefined
          : await transactionAs(deps.db, { userId }, (trx) => describeSession(trx, session.id));
      if (session === undefined || found === undefined) return reply.type('application/json').send('null');
      const { user_id: id, email: address, name: fullName, avatar_url, expires_at } = found;
      return {
        user: { id, email: address, name: fullName, avatar_url },
        session: { id: session.id, expires_at },
      };
    },
    'GET /api/auth/magic-link/verify': async (request, reply) => {
      // Better Auth decodes the values again, and fails if they cannot be decoded.
      if (
        !Object.values(request.query as Record<string, string | string[]>)
          .flat()
          .every(isDecodable)
      )
        throw badRequest();
      return await forwardToBetterAuth(deps, request, reply);
    },
  };
}

/** @throws 422 `invalid_input` */
function read<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  const result = schema.safeParse(request.body ?? {});
  if (!result.success) throw invalidInputs(result.error);
  return result.data;
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

function requireProvider({ auth }: SignInDeps, id: string): void {
  if (!auth.providers().some((provider) => provider.id === id)) throw notFound();
}

/**
 * @returns the URL to open after a sign-in: a URL of this installation, or the start page for any other input. A path
 *   is parsed as in browsers (WHATWG URL) and returned with the origin, so that a browser cannot take it for a URL of
 *   another site.
 */
function sameOriginPath(given: string, publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  if (!given.startsWith('/') || !URL.canParse(given, origin)) return `${origin}/`;
  const url = new URL(given, origin);
  return url.origin === origin && url.username === '' ? url.href : `${origin}/`;
}
