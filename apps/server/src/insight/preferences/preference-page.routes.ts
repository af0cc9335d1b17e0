import type { FastifyInstance } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { describeClient } from '../tracking/client.ts';
import {
  acceptForms,
  handlePageErrors,
  languageOf,
  sendPage,
  sendUnknown,
  tokenOf,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { changeOf } from './preference-form.ts';
import { renderPreferencePage } from './preference-page.ts';
import { createRecipientPreferences, type PreferenceDeps } from './preferences.ts';

/**
 * Registers the page where recipients choose what they get. It neither reads nor sets cookies, and only its forms change
 * something. docs/consent.md
 */
export async function registerPreferencePage(
  app: FastifyInstance,
  deps: PreferenceDeps & { log: Log },
): Promise<void> {
  const preferences = createRecipientPreferences(deps);
  await app.register(async (scope) => {
    acceptForms(scope);
    handlePageErrors(scope, deps.log);

    scope.get('/p/:token', async (request: TokenRequest, reply) => {
      const message = await preferences.find(tokenOf(request));
      const shown = message && (await preferences.read(message));
      if (shown === undefined) return await sendUnknown(request, reply);
      const language = languageOf(request, shown.language);
      const { isTest } = message!;
      return await sendPage(
        reply,
        200,
        renderPreferencePage(language, tokenOf(request).toLowerCase(), shown, { isTest }),
      );
    });

    scope.post('/p/:token', async (request: TokenRequest, reply) => {
      const change = changeOf(request.body as FormData | undefined);
      const message = await preferences.find(tokenOf(request));
      if (message === undefined) return await sendUnknown(request, reply);
      const requester = { client: describeClient(request.headers, request.ip), ipAddress: request.ip };
      const changed =
        change === undefined
          ? unchanged(await preferences.read(message))
          : await preferences.change(message, (before) => change(before, new Date()), requester);
      if (changed === undefined) return await sendUnknown(request, reply);
      const language = languageOf(request, changed.after.language);
      const { isTest } = message;
      return await sendPage(
        reply,
        200,
        renderPreferencePage(language, tokenOf(request).toLowerCase(), changed.after, { changed, isTest }),
      );
    });
  });
}

const unchanged = <T>(shown: T | undefined) => shown && { before: shown, after: shown };
