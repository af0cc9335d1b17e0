import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { retryAfterOf } from '../../platform/http/problem.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import type { Log } from '../../platform/log.ts';
import { pageHeaders } from './page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { chooseLanguage } from './page-texts.ts';
import { renderMessagePage } from './pages.ts';

// What the public pages for recipients share.

/** Maximum form size in bytes; the largest real form, of 20 topics, has 2,000. */
const formLimit = 8_192;

/** Signs that programs take along when they find an address in a text: `(see https://…/t/c/….1).` */
const closingSigns = /[)\]}>.,:;!?"'*»”’]{1,3}$/;

export type TokenRequest = FastifyRequest<{ Params: { token: string }; Querystring: { lang?: unknown } }>;

/** Fastify has decoded it. No token ends with such a sign. */
export const tokenOf = ({ params }: TokenRequest): string => params.token.replace(closingSigns, '');

export const languageOf = (request: TokenRequest, ofContact: string | null = null): Language =>
  chooseLanguage(request.query.lang, request.headers['accept-language'], ofContact);

export const sendPage = (reply: FastifyReply, status: number, html: string) =>
  reply.code(status).headers(pageHeaders).send(html);

export const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(`${text}\n`);

/** The same for every token that is not valid, so that it does not reveal why. */
export const sendUnknown = (request: TokenRequest, reply: FastifyReply) =>
  sendPage(reply, 404, renderMessagePage(languageOf(request), 'unknown'));

/** Runs what counts. @returns whether a limit refused it */
export async function isBeyondLimit(count: () => Promise<void>): Promise<boolean> {
  try {
    await count();
    return false;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'too_many_attempts') return true;
    throw error;
  }
}

/** Accepts urlencoded and multipart forms. Any other body counts as an empty form. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: formLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      return await new Response(new Uint8Array(body), { headers }).formData().catch(() => new FormData());
    },
  );
}

export function handlePageErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) {
      const text = status === 413 ? 'The request is too large.' : 'The request can’t be parsed.';
      return await sendText(reply, status, text);
    }
    if (error instanceof ORPCError && error.status === 429) {
      reply.header('retry-after', retryAfterOf(error.data));
      return await sendPage(reply, 429, renderMessagePage(languageOf(request as TokenRequest), 'often'));
    }
    if (error instanceof LimitExceeded) log.warn({ bound: error.bound }, 'limit reached');
    else log.error({ err: error, request: request.id }, 'a public page failed');
    reply.header('retry-after', '30');
    return await sendPage(reply, 503, renderMessagePage(languageOf(request as TokenRequest), 'away'));
  });
}
