import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TemplateTaskError } from '../../email/templates/template-processes.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { createScanDetector, readRequester } from './bots.ts';
import { describeClient, objectsToTracking } from './client.ts';
import type { MessageEvent } from '../../events/event.ts';
import { createEventCommitter, type EventCommitter } from '../../events/event-committer.ts';
import type { EventEffect } from '../../events/effects.ts';
import { mailHeaders } from '../public-pages/page-layout.ts';
import {
  handlePageErrors,
  messagePage,
  sendPage,
  tokenOf,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { createSentMessages, type LinkDestination, type SentMessage } from './sent-messages.ts';
import { createVisitTokens, type VisitTokens } from './visit-tokens.ts';
import { createCountries, type CountryOf } from './visitors/countries.ts';
import { registerTrack, type TrackRates } from './visitors/track.routes.ts';

export interface TrackingDeps {
  /** The tracking pool, so that a flood of opens does not take connections from user requests. */
  db: Database;
  /** Used only for opens, clicks and events of visitors. */
  pipelined: PipelinedDatabase;
  /** What opens and clicks cause. */
  effects?: readonly EventEffect[];
  signer: TokenSigner;
  secrets: Secrets;
  /** As in messages, without a trailing slash. */
  publicUrl: string;
  log: Log;
  /** Limits of events of visitors. */
  rates?: TrackRates;
}

// The smallest transparent GIF that every mail client displays: 43 bytes.
const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const pixelHeaders = {
  'content-type': 'image/gif',
  'cache-control': 'no-store',
  // Webmail displays it on pages of other origins.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/**
 * Registers the public paths for recipients: open pixel, click redirect, view in browser, and the endpoint for
 * events of websites. They neither read nor set cookies. docs/tracking.md
 */
export async function registerTracking(app: FastifyInstance, deps: TrackingDeps): Promise<void> {
  const { db, pipelined, effects = [], signer, secrets, log, rates } = deps;
  const messages = createSentMessages(deps);
  const visits = createVisitTokens({ db, signer, messages, log });
  const committer = createEventCommitter(pipelined, effects, log);
  const loadCountries = createCountries(log);
  app.addHook('onClose', async () => await committer.close());
  await app.register(async (scope) => {
    handlePageErrors(scope, log);
    registerEvents(scope, { committer, visits, loadCountries, log }, messages);
    registerPages(scope, deps, messages);
  });
  await app.register(async (scope) =>
    registerTrack(scope, {
      db,
      secrets,
      committer,
      findMessage: visits.findMessage,
      loadCountries,
      log,
      rates,
    }),
  );
}

type Messages = ReturnType<typeof createSentMessages>;

interface EventDeps {
  committer: EventCommitter;
  visits: VisitTokens;
  loadCountries: () => Promise<CountryOf>;
  log: Log;
}

function registerEvents(
  app: FastifyInstance,
  { committer, visits, loadCountries, log }: EventDeps,
  messages: Messages,
): void {
  const looksLikeScan = createScanDetector();

  function toEvent(request: FastifyRequest, message: SentMessage, linkNo: number | null): MessageEvent {
    const now = new Date();
    const { organizationId, touchpointId, sendId, seq } = message;
    const isScan = linkNo !== null && looksLikeScan(`${sendId}/${seq}`, linkNo, now.getTime());
    const requester = readRequester(request.headers);
    return {
      id: newId(),
      subject: 'message',
      organizationId,
      touchpointId,
      sendId,
      seq,
      type: linkNo === null ? 'OPEN_EMAIL' : 'CLICK',
      linkNo,
      at: now,
      // An image proxy follows no links.
      isBot: isScan || requester === 'bot' || (requester === 'image_proxy' && linkNo !== null),
      isFirstOnly: requester === 'image_proxy' && linkNo === null,
      ...describeClient(request.headers, request.ip),
    };
  }

  /** Resolves when the event is committed. The committer logs a failure; the reader gets a response anyway. */
  const record = (event: MessageEvent): Promise<void> => committer.add(event).catch(() => undefined);

  /** Records a click. @returns where it leads */
  async function follow(
    request: FastifyRequest,
    message: SentMessage,
    linkNo: number,
    { address: destination, asWritten }: LinkDestination,
  ): Promise<string> {
    const event = toEvent(request, message, linkNo);
    const isTracked = !objectsToTracking(request.headers);
    if (isTracked) event.country = (await loadCountries())(request.ip);
    const isVisit = !event.isBot && isTracked;
    const [address] = await Promise.all([
      isVisit && !asWritten ? visits.addTo(destination, message) : destination,
      record(event),
    ]);
    return address;
  }

  app.get('/t/o/:token', async (request: TokenRequest, reply) => {
    if (request.method === 'GET') {
      try {
        const message = await messages.find('open', tokenOf(request));
        if (message !== undefined) await record(toEvent(request, message, null));
      } catch (error) {
        log.error({ err: error }, 'an open could not be counted');
      }
    }
    // Always the same image: a broken one would be visible in the email and reveal which tokens are valid.
    return await reply.headers(pixelHeaders).send(pixel);
  });

  app.get('/t/c/:token', async (request: TokenRequest, reply) => {
    const [, token = '', linkNo = ''] = /^([\w-]+)\.(\d{1,5})$/.exec(tokenOf(request)) ?? [];
    const message = await messages.find('click', token);
    const destination = message && (await messages.findDestination(message, Number(linkNo)));
    if (message === undefined || destination === undefined)
      return await sendPage(request, reply, { status: 404, page: messagePage('nowhere') });
    // Link checkers send HEAD requests.
    const address =
      request.method === 'GET'
        ? await follow(request, message, Number(linkNo), destination)
        : destination.address;
    return await reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      .redirect(address, 302);
  });
}

function registerPages(app: FastifyInstance, { log }: TrackingDeps, messages: Messages): void {
  app.get('/v/:token', async (request: TokenRequest, reply) => {
    const message = await messages.find('view', tokenOf(request));
    const html = message && (await messages.renderHtml(message).catch(ignoreRenderError));
    if (html === undefined) return await sendPage(request, reply, undefined);
    return await reply.headers(mailHeaders).send(html);
  });

  function ignoreRenderError(error: unknown): undefined {
    if (!(error instanceof TemplateTaskError)) throw error;
    log.warn({ err: error }, 'a message cannot be shown in the browser');
  }
}
