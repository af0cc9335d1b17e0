import { setTimeout as delay } from 'node:timers/promises';
import { ORPCError } from '@orpc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attempt } from '../../../platform/attempt.ts';
import { toProblem } from '../../../platform/http/problem.ts';
import type { Auth } from '../auth.ts';
import type { NeededFactor } from '../sessions/session.ts';
import { ipAddressHeader } from './better-auth.ts';

export interface BetterAuthDeps {
  auth: Auth;
  config: { publicUrl: string };
}

/** Forwards a request to Better Auth, and its response to the caller. */
export const forwardToBetterAuth = async (
  deps: BetterAuthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body?: Record<string, unknown>,
): Promise<FastifyReply> =>
  await sendResponse((await callBetterAuth(deps, request, body)).response, deps, reply);

/** Time limit for a provider to identify the user who was redirected back. */
const providerLimitMs = 10_000;

/**
 * Like `forwardToBetterAuth`, for requests where Better Auth calls a provider and would wait for minutes.
 * @returns the user who was redirected back, if a second factor must be proven before a session is opened; then the
 *   reply is not sent yet
 */
export async function forwardProviderCallback(
  deps: BetterAuthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<NeededFactor | undefined> {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    const limit = delay(providerLimitMs, undefined, { signal, ref: false });
    const answer = await Promise.race([callBetterAuth(deps, request), limit]);
    if (answer === undefined)
      await reply.redirect(`${deps.config.publicUrl}/auth/callback?error=provider_away`, 302);
    else if (answer.neededFactor === undefined) await sendResponse(answer.response, deps, reply);
    else setOwnCookies(answer.response, reply);
    return answer?.neededFactor;
  } catch (error) {
    if (!(error instanceof ORPCError) || error.status !== 429) throw error;
    await reply.redirect(`${deps.config.publicUrl}/auth/callback?error=${error.code}`, 302);
    return undefined;
  } finally {
    answered.abort();
  }
}

async function callBetterAuth(
  { auth, config }: BetterAuthDeps,
  request: FastifyRequest,
  body?: Record<string, unknown>,
): Promise<{ response: Response; neededFactor: NeededFactor | undefined }> {
  const headers = toAuthHeaders(request);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return await auth.handle(
    new Request(new URL(request.url, config.publicUrl), {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

async function sendResponse(
  response: Response,
  { config }: BetterAuthDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(response.status);
  setOwnCookies(response, reply);
  const location = response.headers.get('location');
  // A response to a script has the target URL in its body.
  if (location !== null && response.status >= 300)
    return reply.header('location', toPlainError(location, config.publicUrl)).send();
  const text = await response.text();
  if (response.ok) return reply.type('application/json').send(text);
  return reply.type('application/problem+json').send(toAuthProblem(response.status, text));
}

const setOwnCookies = (response: Response, reply: FastifyReply) => {
  for (const cookie of response.headers.getSetCookie().filter(isOwnCookie))
    reply.header('set-cookie', cookie);
};

/** Better Auth also deletes cookies that it never set here, in an invalid form. */
const isOwnCookie = (cookie: string): boolean => /^(?:__Host-)?reachout_/.test(cookie);

/**
 * @returns the request headers for Better Auth. It would take the client's IP address from any forwarding header, which
 *   clients can forge: it gets the address that this server determined.
 */
export function toAuthHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  headers.set(ipAddressHeader, request.ip);
  return headers;
}

const passedHeaders = [
  'accept',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
] as const;

/** Better Auth's error codes, mapped to those of the page that providers redirect to. */
const plainErrors: Record<string, string> = {
  // Neither case reveals whether an account has the address.
  account_not_linked: 'email_not_verified',
  email_not_found: 'email_not_verified',
  state_not_found: 'state_mismatch',
  // The account is suspended.
  unable_to_create_session: 'account_suspended',
};

/** Passes on only an error code: texts of a provider, or in a forged URL, are not shown. */
function toPlainError(location: string, publicUrl: string): string {
  const url = new URL(location, publicUrl);
  if (url.pathname !== '/auth/callback' || !url.searchParams.has('error')) return location;
  const code = url.searchParams.get('error')?.toLowerCase() ?? '';
  const plain = plainErrors[code] ?? (/^[a-z_]{1,60}$/.test(code) ? code : 'failed');
  return `${publicUrl}/auth/callback?error=${plain}`;
}

function toAuthProblem(status: number, text: string) {
  const { code = 'auth_failed', message = 'This did not work.' } = parse(text);
  return toProblem({ status, code: code.toLowerCase(), detail: message });
}

const parse = (text: string): { code?: string; message?: string } =>
  attempt(() => JSON.parse(text) as { code?: string; message?: string }, {});
