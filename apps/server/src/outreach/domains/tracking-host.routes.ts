import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { trackingProbePath } from '../../email/domains/probe-tracking.ts';
import { forwardingHeaders } from '../../platform/http/local-request.ts';
import { isLoopback } from '../../platform/loopback.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller, type Poller } from '../../platform/poller.ts';
import type { TrackingHosts } from './tracking-hosts.ts';

/** Routes of messages and their images, as registered: they neither read nor set cookies. */
const routesOfMessages = /^\/(?:(?:t\/[oc]|[upvli])\/:\w+|p\/:token\/data)$/;
const probeRoute = `${trackingProbePath}:token`;
const probeToken = /^[\w-]{16,64}$/;
const refreshMs = 60_000;

/**
 * At hosts of customers, responds 404 to everything but the routes of messages and the probe: sign-in, pages and API are at our
 * own host only. Call it before any route is registered.
 */
export function limitTrackingHosts(app: FastifyInstance, hosts: TrackingHosts, log: Log): void {
  let poller: Poller | undefined;
  app.addHook('onReady', async () => {
    // Known before the first request. The poller tries again, and logs a failure.
    await hosts.refresh().catch(() => undefined);
    poller = createPoller({
      name: 'the list of tracking hosts',
      everyMs: refreshMs,
      log,
      work: hosts.refresh,
      isOptional: true,
    });
  });
  app.addHook('onClose', async () => await poller?.stop());
  app.addHook('onRequest', async (request, reply) => {
    if (reply.sent) return;
    const host = hosts.find(request.host);
    if (host === undefined) return;
    const { url: route = '' } = request.routeOptions;
    if (routesOfMessages.test(route) || route === probeRoute) return;
    const isVisit = /^\/(?:\?|$)/.test(request.url) && ['GET', 'HEAD'].includes(request.method);
    if (!isVisit || host.destination === null) await sendNothing(reply);
    else
      await reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(host.destination, 302);
  });
}

/**
 * Registers what the check of a tracking host visits, and what a proxy asks before it gets a certificate.
 * @param isProxy  whether a proxy of the operator is at this address; those of this machine may always ask
 */
export function registerTrackingHosts(
  app: FastifyInstance,
  hosts: TrackingHosts,
  isProxy: (address: string) => boolean,
): void {
  app.get(probeRoute, async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
    const { token } = request.params;
    if (!probeToken.test(token)) return await sendNothing(reply);
    return await reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(token);
  });
  app.get('/.well-known/reachout-certificate', async (request, reply) => {
    const { domain } = request.query as { domain?: unknown };
    // What a proxy passes on has such a header; what it asks itself has none.
    const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const isAsked =
      (isLoopback(address) || isProxy(address)) &&
      !forwardingHeaders.some((name) => request.headers[name] !== undefined);
    if (!isAsked || typeof domain !== 'string' || hosts.find(domain) === undefined)
      return await sendNothing(reply);
    return await reply.header('cache-control', 'no-store').code(200).send();
  });
}

/** A text, which the content API does not turn into an error of its own. */
const sendNothing = (reply: FastifyReply) =>
  reply
    .code(404)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send('Not found.\n');
