import type { FastifyInstance } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { describeClient } from '../tracking/client.ts';
import type { SentMessage } from '../tracking/sent-messages.ts';
import {
  pageOf,
  registerPages,
  sendPage,
  sendText,
  tokenOf,
  type ShownPage,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { changeOf } from './preference-form.ts';
import { preferencePage, type ShownChange } from './preference-page.ts';
import { createRecipientPreferences, type PreferenceDeps } from './preferences.ts';

/**
 * Registers the page where recipients choose what they get, and unsubscribe. It neither reads nor sets cookies, and only its forms change
 * something. docs/consent.md
 */
export async function registerPreferencePage(
  app: FastifyInstance,
  deps: PreferenceDeps & { log: Log },
): Promise<void> {
  const preferences = createRecipientPreferences(deps);

  /** @param change  undefined if the message or its brand was erased */
  async function show(
    request: TokenRequest,
    isLeaving: boolean,
    change: (message: SentMessage) => Promise<ShownChange | undefined> = read,
  ): Promise<ShownPage | undefined> {
    const message = await preferences.find(tokenOf(request));
    const shown = message && (await change(message));
    if (shown === undefined) return undefined;
    const token = tokenOf(request).toLowerCase();
    return {
      language: shown.after.language,
      page: (language) => preferencePage(language, token, shown, { isTest: message!.isTest, isLeaving }),
    };
  }

  async function read(message: SentMessage): Promise<ShownChange | undefined> {
    const after = await preferences.read(message);
    return after && { after };
  }

  await registerPages(app, deps.log, (scope) => {
    scope.get(
      '/p/:token',
      pageOf((request) => show(request, false)),
    );

    scope.post(
      '/p/:token',
      pageOf((request) => {
        const change = changeOf(request.body as FormData | undefined);
        const requester = { client: describeClient(request.headers, request.ip), ipAddress: request.ip };
        return show(request, false, async (message) => {
          if (change !== undefined)
            return await preferences.change(message, (before) => change(before, new Date()), requester);
          const shown = await preferences.read(message);
          return shown && { before: shown, after: shown };
        });
      }),
    );

    // The same page, on which unsubscribing from the brand is chosen beforehand. No limit keeps anybody from it.
    scope.get(
      '/u/:token',
      pageOf((request) => show(request, true)),
    );

    scope.post('/u/:token', async (request: TokenRequest, reply) => {
      const form = request.body as FormData | undefined;
      const isPage = form?.get('source') === 'page';
      if (!isPage && form?.get('List-Unsubscribe') !== 'One-Click')
        return await sendText(reply, 400, 'Nothing was changed.');
      const client = describeClient(request.headers, request.ip);
      const shown = await show(request, true, (message) => preferences.unsubscribe(message, client));
      // One-click request by a mail client (RFC 8058): no page, no redirect, and nothing that reveals which tokens are valid.
      return await (isPage ? sendPage(request, reply, shown) : sendText(reply, 200, 'Unsubscribed.'));
    });
  });
}
