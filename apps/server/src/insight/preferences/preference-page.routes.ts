import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { describeClient } from '../tracking/client.ts';
import {
  acceptForms,
  handlePageErrors,
  languageOf,
  sendPage,
  sendText,
  sendUnknown,
  tokenOf,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { changeOf } from './preference-form.ts';
import { renderPreferencePage } from './preference-page.ts';
import { createRecipientPreferences, type PreferenceDeps, type ShownPreferences } from './preferences.ts';

/**
 * Registers the page where recipients choose what they get, and unsubscribe. It neither reads nor sets cookies, and only its forms change
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

    const show = async (request: TokenRequest, reply: FastifyReply, isLeaving: boolean) => {
      const message = await preferences.find(tokenOf(request));
      const shown = message && (await preferences.read(message));
      if (shown === undefined) return await sendUnknown(request, reply);
      return await send(request, reply, shown, { isTest: message!.isTest, isLeaving });
    };
    const send = (
      request: TokenRequest,
      reply: FastifyReply,
      shown: ShownPreferences,
      more: Parameters<typeof renderPreferencePage>[3],
    ) => {
      const token = tokenOf(request).toLowerCase();
      const language = languageOf(request, shown.language);
      return sendPage(reply, 200, renderPreferencePage(language, token, shown, more));
    };

    scope.get('/p/:token', async (request: TokenRequest, reply) => await show(request, reply, false));

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
      return await send(request, reply, changed.after, { changed, isTest: message.isTest });
    });

    // The same page, on which unsubscribing from the brand is chosen beforehand. No limit keeps anybody from it.
    scope.get('/u/:token', async (request: TokenRequest, reply) => await show(request, reply, true));

    scope.post('/u/:token', async (request: TokenRequest, reply) => {
      const form = request.body as FormData | undefined;
      const isPage = form?.get('source') === 'page';
      if (!isPage && form?.get('List-Unsubscribe') !== 'One-Click')
        return await sendText(reply, 400, 'Nothing was changed.');
      const message = await preferences.find(tokenOf(request));
      const client = describeClient(request.headers, request.ip);
      const changed = message && (await preferences.unsubscribe(message, client));
      // One-click request by a mail client (RFC 8058): no page, no redirect, and nothing that reveals which tokens are valid.
      if (!isPage) return await sendText(reply, 200, 'Unsubscribed.');
      if (changed === undefined) return await sendUnknown(request, reply);
      return await send(request, reply, changed.after, {
        changed,
        isTest: message!.isTest,
        isLeaving: true,
      });
    });
  });
}

const unchanged = <T>(shown: T | undefined) => shown && { before: shown, after: shown };
