import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { retryAfterOf } from '../../platform/http/problem.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import type { Log } from '../../platform/log.ts';
import { pageHeaders, renderPage, statusPage, type PublicPage } from './page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { chooseLanguage, commonTexts, textsIn } from './page-texts.ts';

// What the public pages for recipients share.

/** Maximum form size in bytes; the largest real form, of 20 topics, has 2,000. */
const formLimit = 8_192;

/** Signs that programs take along when they find an address in a text: `(see https://…/t/c/….1).` */
const closingSigns = /[)\]}>.,:;!?"'*»”’]{1,3}$/;

export type TokenRequest = FastifyRequest<{ Params: { token: string }; Querystring: { lang?: unknown } }>;

/** Fastify has decoded it. No token ends with such a sign. */
export const tokenOf = ({ params }: TokenRequest): string => params.token.replace(closingSigns, '');

/** @param known  the language of the reader: BCP 47 or any text */
export const languageOf = ({ query, headers }: TokenRequest, known?: string | null): Language =>
  chooseLanguage(query.lang, headers['accept-language'], known);

/** What a link leads to. */
export interface ShownPage {
  status?: number;
  /** As in `languageOf`. */
  language?: string | null;
  page: (language: Language) => PublicPage;
}

/**
 * Sends a page in the language of its reader.
 * @param shown  undefined for every token that is not valid: the same page, so that it does not reveal why
 */
export function sendPage(request: TokenRequest, reply: FastifyReply, shown: ShownPage | undefined) {
  const { status = 200, language: known, page } = shown ?? { status: 404, page: messagePage('unknown') };
  const language = languageOf(request, known);
  const root = '../'.repeat(request.routeOptions.url!.split('/').length - 2);
  return reply
    .code(status)
    .headers(pageHeaders)
    .send(renderPage(language, page(language), root));
}

/** A handler that sends the page that `find` returns, or that of links that can't be used. */
export const pageOf =
  (find: (request: TokenRequest) => Promise<ShownPage | undefined>) =>
  async (request: TokenRequest, reply: FastifyReply) =>
    await sendPage(request, reply, await find(request));

/** A page without a brand. */
export const messagePage =
  (about: 'unknown' | 'nowhere' | 'away' | 'often'): ShownPage['page'] =>
  (language) =>
    statusPage(textsIn(commonTexts, language), about);

export const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(`${text}\n`);

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

/** Registers pages with forms. */
export const registerPages = (app: FastifyInstance, log: Log, register: (scope: FastifyInstance) => void) =>
  app.register(async (scope) => {
    acceptForms(scope);
    handlePageErrors(scope, log);
    register(scope);
  });

/** Accepts urlencoded and multipart forms. Any other body counts as an empty form. */
function acceptForms(app: FastifyInstance): void {
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
    const sendMessage = (code: number, retryAfter: string | undefined, about: 'often' | 'away') =>
      sendPage(request as TokenRequest, reply.header('retry-after', retryAfter), {
        status: code,
        page: messagePage(about),
      });
    if (error instanceof ORPCError && error.status === 429)
      return await sendMessage(429, retryAfterOf(error.data), 'often');
    if (error instanceof LimitExceeded) log.warn({ bound: error.bound }, 'limit reached');
    else log.error({ err: error, request: request.id }, 'a public page failed');
    return await sendMessage(503, '30', 'away');
  });
}
