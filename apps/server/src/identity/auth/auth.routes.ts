import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type {
  AnyContractProcedure,
  InferContractRouterInputs,
  InferContractRouterOutputs,
} from '@orpc/contract';
import { signIn, type SignIn } from '@reachout/contract/sign-in.ts';
import { badRequest, invalidInputs, notFound } from '../../platform/http/api-error.ts';
import { attempt } from '../../platform/attempt.ts';
import { transactionAs } from '../../platform/database/database.ts';
import { originOf } from '../access/caller.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import type { SignUp } from '../../platform/config.ts';
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

export interface AuthRoutesDeps extends SignInDeps {
  config: { publicUrl: string; signUp: SignUp };
  /** Whether a browser can read account email in the system inbox; null where there is none. @param cookies  as below */
  offerSystemMailbox: (cookies: string | undefined) => 'open' | 'needs_link' | null;
  /** @param cookies  Cookie header of a request */
  offerDemo: (cookies: string | undefined) => Promise<DemoOffer>;
}

/** Registers the operations of the contract’s `signIn`; no other route of Better Auth is exposed. */
export function registerAuthRoutes(app: FastifyInstance, deps: AuthRoutesDeps): void {
  sendApiErrors(app);
  forbidCaching(app);
  const handlers = createHandlers(deps);
  for (const name of Object.keys(signIn) as (keyof SignIn)[]) {
    const { route, inputSchema }: AnyContractProcedure['~orpc'] = signIn[name]['~orpc'];
    const { method = 'POST', path = '' } = route;
    const handle = handlers[name] as Handler<unknown, unknown>;
    app.route({
      method,
      url: `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: (request, reply) =>
        handle(request, reply, inputSchema && read(inputSchema as z.ZodType, request)),
    });
  }
}

/** @returns what the contract declares, or a reply that was sent already */
type Handler<Input, Output> = (
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
) => Promise<Output | FastifyReply>;

type Handlers = {
  [Name in keyof SignIn]: Handler<
    InferContractRouterInputs<SignIn>[Name],
    InferContractRouterOutputs<SignIn>[Name]
  >;
};

// oxlint-disable-next-line max-lines-per-function -- a flat list: one operation after the other
function createHandlers(deps: AuthRoutesDeps): Handlers {
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
  const withSession = (reply: FastifyReply, sessionCookies: string[]) => {
    reply.header('set-cookie', sessionCookies);
    return { status: 'signed_in' as const };
  };
  const afterFirstStep = (reply: FastifyReply, step: SignInStep) => {
    if (!('pendingAuth' in step)) return withSession(reply, step.sessionCookies);
    remember(reply, 'second_factor', step.pendingAuth);
    return { status: 'second_factor_needed' as const };
  };

  return {
    options: async (request) => {
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
    signUp: async (request, reply, input) => {
      remember(reply, 'sign_up', await requestSignUp(deps, input, browserOf(request)));
      return { status: 'check_inbox' };
    },
    confirmSignUp: async (request, reply, input) =>
      afterFirstStep(reply, await confirmSignUp(deps, input, browserOf(request))),
    describeInvited: (_request, _reply, input) => describeInvited(deps, input),
    signUpInvited: async (request, reply, input) => {
      const { step, organizationId } = await signUpByInvitation(
        deps,
        input,
        browserOf(request),
        originOf(request),
      );
      return { ...afterFirstStep(reply, step), organization_id: organizationId };
    },
    withPassword: async (request, reply, input) =>
      afterFirstStep(reply, await signInWithPassword(deps, input, browserOf(request))),
    requestCode: async (request, reply, { email }) => {
      remember(reply, 'sign_in_code', await requestCode(deps, email, browserOf(request)));
      return { status: 'check_inbox', expires_in: validForMs.sign_in_code / 1_000 };
    },
    withCode: async (request, reply, { code }) =>
      afterFirstStep(reply, await verifyCode(deps, code, browserOf(request))),
    secondFactors: (request) => describeSecondStep(deps, browserOf(request)),
    withSecondFactor: async (request, reply, { code }) =>
      withSession(reply, await finishByCode(deps, code, browserOf(request))),
    passkeyOptions: (request) => startPasskeySignIn(deps, browserOf(request)),
    withPasskey: async (request, reply, assertion) =>
      withSession(reply, await signInWithPasskey(deps, assertion, browserOf(request))),
    requestReset: async (request, _reply, { email }) => {
      await requestReset(deps, email, browserOf(request));
      return { status: 'check_inbox' };
    },
    resetPassword: async (request, _reply, input) => {
      const keys = await resetPassword(deps, input, browserOf(request));
      return { status: 'changed', api_keys: keys };
    },
    confirmEmail: async (request, _reply, input) => ({
      email: await confirmEmail(deps, input, browserOf(request)),
    }),
    withProvider: async (request, reply, { provider, callbackURL }) => {
      requireProvider(deps, provider);
      await deps.limits.count(['provider_sign_ins_of_ip_prefix', rateLimitPrefixOf(request.ip)]);
      const body = { provider, callbackURL: sameOriginPath(callbackURL, config.publicUrl) };
      return await forwardToBetterAuth(deps, request, reply, body);
    },
    providerCallback: async (request, reply, { provider }) => {
      requireProvider(deps, provider);
      const needed = await forwardProviderCallback(deps, request, reply);
      if (needed === undefined) return reply;
      remember(reply, 'second_factor', await startSecondStep(deps, needed.userId, needed.method));
      return await reply.redirect(`${config.publicUrl}/sign-in/second-factor`, 302);
    },
    signOut: (request, reply) => {
      // Browsers cache avatars and logos for a day: the next user of this machine must not get them.
      reply.header('clear-site-data', '"cache"');
      return forwardToBetterAuth(deps, request, reply, {});
    },
    session: async (request, reply) => {
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
    withLink: async (request, reply) => {
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
function read(schema: z.ZodType, { method, body, query, params }: FastifyRequest): unknown {
  const given = method === 'POST' ? (body ?? {}) : { ...(query as object), ...(params as object) };
  const result = schema.safeParse(given);
  if (!result.success) throw invalidInputs(result.error);
  return result.data;
}

const isDecodable = (value: string): boolean =>
  attempt(() => decodeURIComponent(value), undefined) !== undefined;

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
