import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventCommitter } from '../../../events/event-committer.ts';
import type { MessageEvent, StoredEvent, VisitorEvent } from '../../../events/event.ts';
import { createDropCounter, type DropCounter } from '../../../events/website-drops.ts';
import { bytesOf, createUseCounter } from '../../../events/website-use.ts';
import type { Database } from '../../../platform/database/database.ts';
import { QueueFull } from '../../../platform/group-commit.ts';
import { apiError, badRequest } from '../../../platform/http/api-error.ts';
import { sendApiErrors } from '../../../platform/http/request-guards.ts';
import { requesterOf } from '../../../platform/http/requester.ts';
import { isUuid, newId } from '../../../platform/ids.ts';
import { LimitExceeded, retryAfter } from '../../../platform/limit-exceeded.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { createRequestRate } from '../../../platform/rate-limits/request-rate.ts';
import { readRequester } from '../bots.ts';
import { describeClient, objectsToTracking } from '../client.ts';
import type { FindMessage, VisitedMessage } from '../visit-tokens.ts';
import type { CountryOf } from './countries.ts';
import { readAddress } from './stored-address.ts';
import { readEvents, readQuestion, type TrackInput, type TrackQuestion } from './track-input.ts';
import { createVisitorMarks } from './visitor-marks.ts';
import { createWebsites, type TrackedWebsite, type Websites } from './websites.ts';

/** Events a minute, and how many at once; look-ups are of websites that are not in memory, known or not. */
export interface TrackRates {
  website: TrackRate;
  /** Of one website. */
  conversions: TrackRate;
  /** Visitors of one website who come from another of its hosts. */
  arrivals: TrackRate;
  network: TrackRate;
  lookUps: TrackRate;
}

interface TrackRate {
  perMinute: number;
  atOnce: number;
}

/** Of one process. A network can be that of a company, or of all customers of a mobile network in a town. */
const defaultRates: TrackRates = {
  website: { perMinute: 120_000, atOnce: 20_000 },
  // They are kept for ever, and the token is public. At this rate, some 100,000 a day.
  conversions: { perMinute: 70, atOnce: 50_000 },
  // Each is a row for an hour.
  arrivals: { perMinute: 1_200, atOnce: 6_000 },
  network: { perMinute: 12_000, atOnce: 10_000 },
  lookUps: { perMinute: 600, atOnce: 600 },
};

export interface TrackDeps {
  db: Database;
  secrets: Secrets;
  committer: EventCommitter;
  findMessage: FindMessage;
  loadCountries: () => Promise<CountryOf>;
  log: Log;
  rates?: TrackRates | undefined;
}

const path = '/api/track';
const maxBytes = 65_536;

/** Any page may send events: cookies are neither read nor needed, and what the response says is nobody's secret. */
const preflightHeaders = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, x-website-id',
  // A day; browsers keep it for two hours at most, or for a day.
  'access-control-max-age': '86400',
};

const earliestMs = 24 * 60 * 60 * 1_000;
const latestMs = 5 * 60 * 1_000;
const busyRetryMs = 5_000;
const maxReferrerHostLength = 255;

declare module 'fastify' {
  interface FastifyRequest {
    /** The website whose token a request has. */
    website: TrackedWebsite | null;
  }
}

/** Registers the endpoint that the pages of tracked websites send their events to. docs/tracking.md */
export function registerTrack(app: FastifyInstance, deps: TrackDeps): void {
  const { db, secrets, loadCountries, log, rates = defaultRates } = deps;
  const drops = createDropCounter(db, log);
  const use = createUseCounter(db, log);
  const limits = {
    website: createLimit('events of one website', rates.website),
    conversions: createLimit('conversions of one website', rates.conversions),
    arrivals: createLimit('visitors of one website from its other hosts', rates.arrivals),
    network: createLimit('events of one network', rates.network),
    lookUps: createLimit('look-ups of websites of one network', rates.lookUps),
  };
  const marks = createVisitorMarks({
    db,
    secrets,
    canUse: (touchpointId) => limits.arrivals(touchpointId, 1) === undefined,
  });
  app.addHook('onClose', async () => void (await Promise.all([drops.close(), use.close()])));
  identifyWebsites(app, createWebsites(db), limits, drops);
  acceptJson(app);
  sendApiErrors(app, (error: Error & { status?: number; statusCode?: number }, { website }) => {
    // `statusCode` is that of an error of the framework.
    const { status, statusCode = status } = error;
    const isInvalid = statusCode !== undefined && refusals.has(statusCode);
    if (website !== null && isInvalid) drops.count(website, 'invalid');
    return isInvalid && status === undefined ? badRequest(statusCode) : error;
  });

  /**
   * Counts the events of a request, whose first one the network has already been charged for.
   * @throws LimitExceeded 429 `too_many_requests`
   */
  function countEvents(request: FastifyRequest, website: TrackedWebsite, events: number): void {
    const refusal = refusalOf(request, website, events);
    if (refusal === undefined) return;
    drops.count(website, 'limit', events);
    throw refusal;
  }

  const refusalOf = (request: FastifyRequest, { touchpointId }: TrackedWebsite, events: number) =>
    limits.network(networkOf(request), events - 1) ?? limits.website(touchpointId, events);

  app.options(path, async (_request, reply) => await reply.code(204).headers(preflightHeaders).send());

  app.post(path, { config: { isPublic: true }, bodyLimit: maxBytes }, async (request, reply) => {
    const website = request.website!;
    const question = readQuestion(request.body);
    if (question !== undefined) return await reply.send(await answer(request, website, question));
    if (objectsToTracking(request.headers)) return await sendNothing(reply);
    const inputs = readEvents(request.body);
    countEvents(request, website, inputs.length);
    if (!website.isActive) {
      drops.count(website, 'inactive', inputs.length);
      return await sendNothing(reply);
    }
    const ofHosts = toEvents(inputs, { website, request, countryOf: await loadCountries() });
    if (ofHosts.length < inputs.length) drops.count(website, 'host', inputs.length - ofHosts.length);
    // Clients would send the whole list again if it was refused.
    const withinRate = ofHosts.filter(
      ([{ conversion }]) => conversion === null || limits.conversions(website.touchpointId, 1) === undefined,
    );
    if (withinRate.length < ofHosts.length) drops.count(website, 'limit', ofHosts.length - withinRate.length);
    let bytes = 0;
    const events = withinRate.filter(([event]) => {
      const size = bytesOf(event);
      const isTaken = use.take(website, size);
      if (isTaken) bytes += size;
      return isTaken;
    });
    if (events.length < withinRate.length) drops.count(website, 'quota', withinRate.length - events.length);
    try {
      await storeWithVisits(deps, request, website, events);
    } catch (error) {
      // Clients send them again.
      use.giveBack(website, { events: events.length, bytes });
      throw error;
    }
    return await sendNothing(reply);
  });

  /** @returns null in place of what there is no reason to say, whatever the reason is */
  async function answer(request: FastifyRequest, website: TrackedWebsite, question: TrackQuestion) {
    // No event is lost with it.
    const refusal = refusalOf(request, website, 1);
    if (refusal !== undefined) throw refusal;
    const isTracked = website.isActive && !objectsToTracking(request.headers);
    const host = hostOf(request.headers.origin);
    if (question.type === 'LINK') {
      const { anonymous_id, host: to } = question;
      return { ctm_vid: isTracked ? marks.issue(website, anonymous_id, { from: host, to }) : null };
    }
    const { ctm_vid, referrer } = question;
    const hosts = { from: hostOf(referrer), to: host };
    return { anonymous_id: isTracked ? await marks.redeem(website, ctm_vid, hosts) : null };
  }
}

/** Finds the website of each request, and charges its network for the first event. */
function identifyWebsites(
  app: FastifyInstance,
  websites: Websites,
  limits: { network: Limit; lookUps: Limit },
  drops: DropCounter,
): void {
  app.decorateRequest('website', null);

  // Without promises, which would take as long as reading the event.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      done();
      return;
    }
    // Pages of other origins read no other header of this response.
    reply.header('access-control-expose-headers', 'retry-after');
    const { 'x-website-id': id, authorization = '' } = request.headers;
    const accept = (website: TrackedWebsite | null) => {
      if (website?.hasToken(authorization.slice('Bearer '.length)) !== true) {
        done(apiError('unknown_website'));
        return;
      }
      request.website = website;
      // The first event. Bodies that are not valid, and those of readers who object, must not be free.
      const refusal = limits.network(networkOf(request), 1);
      if (refusal !== undefined) drops.count(website, 'limit');
      done(refusal);
    };
    if (!isUuid(id) || !authorization.startsWith('Bearer ')) accept(null);
    else {
      const known = websites.known(id.toLowerCase());
      if (known !== undefined) accept(known);
      else lookUp(request, id.toLowerCase()).then(accept, done);
    }
  });

  async function lookUp(request: FastifyRequest, id: string): Promise<TrackedWebsite | null> {
    const refusal = limits.lookUps(networkOf(request), 1);
    if (refusal !== undefined) throw refusal;
    return await websites.lookUp(id);
  }
}

/** Stores events, and what those that a link of a message led to say about the message. */
async function storeWithVisits(
  { committer, findMessage }: TrackDeps,
  request: FastifyRequest,
  { organizationId }: TrackedWebsite,
  events: readonly [VisitorEvent, token: string | null][],
): Promise<void> {
  const visited: MessageEvent[] = [];
  for (const [event, token] of events) {
    const message = token === null ? undefined : await findMessage(organizationId, token);
    if (message === undefined) continue;
    const { sendId, seq } = message;
    event.message = { sendId, seq };
    // Pages send the token again until they know that it has arrived.
    const isKnown = visited.some((other) => other.sendId === sendId && other.seq === seq);
    if (!event.isBot && !isKnown) visited.push(toMessageEvent(event, message, request));
  }
  // One commit has both.
  await Promise.all([
    store(
      committer,
      events.map(([event]) => event),
    ),
    store(committer, visited),
  ]);
}

/** @param events  of one subject */
async function store(committer: EventCommitter, events: readonly StoredEvent[]): Promise<void> {
  try {
    await committer.add(...events);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new LimitExceeded('events that wait for a commit', 'unavailable', retryAfter(busyRetryMs));
  }
}

/** Statuses of requests that are not what the endpoint describes. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** The body is parsed as it is: nothing but the fields of events is read from it. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(badRequest());
    }
  });
}

const sendNothing = async (reply: FastifyReply) => await reply.code(204).send();

const hostOf = (address: string | undefined): string | undefined => URL.parse(address ?? '')?.host;

const networkOf = (request: FastifyRequest): string => requesterOf(request).network;

/** Counts these for a key, or returns why it does not: 429 `too_many_requests`. */
type Limit = (key: string, cost: number) => LimitExceeded | undefined;

function createLimit(bound: string, { perMinute, atOnce }: TrackRate): Limit {
  const rate = createRequestRate({ perMinute, burstMs: (atOnce / perMinute) * 60_000, maxKeys: 50_000 });
  return (key, cost) => {
    const waitMs = rate(key, cost);
    return waitMs > 0 ? new LimitExceeded(bound, 'too_many_requests', retryAfter(waitMs)) : undefined;
  };
}

/** A person was led to a page by a link of the message. */
const toMessageEvent = (
  { organizationId, at }: VisitorEvent,
  message: VisitedMessage,
  { headers, ip }: FastifyRequest,
): MessageEvent => ({
  ...message,
  id: newId(),
  subject: 'message',
  organizationId,
  type: 'VISIT',
  linkNo: null,
  at,
  isBot: false,
  ...describeClient(headers, ip),
});

interface Source {
  website: TrackedWebsite;
  request: FastifyRequest;
  countryOf: CountryOf;
}

/** @returns the events of pages on hosts of the website, each with the signed value of the link that led to it */
function toEvents(
  inputs: readonly TrackInput[],
  { website, request: { headers, ip }, countryOf }: Source,
): [VisitorEvent, token: string | null][] {
  const now = new Date();
  const country = countryOf(ip);
  const isBot = readRequester(headers) !== 'person';
  let knownOrigin: string | undefined;
  /** Browsers say where a page comes from: a page elsewhere that sends the address of another one is dropped, too. */
  const isOwnOrigin = (origin: string | undefined) => {
    if (origin === undefined || origin === knownOrigin) return true;
    const address = readAddress(origin);
    if (address === undefined || !website.hasHost(address.host)) return false;
    knownOrigin = origin;
    return true;
  };
  return inputs.flatMap((input): [VisitorEvent, string | null][] => {
    const address = readAddress(input.url, input);
    if (address?.origin.startsWith('http') !== true || !website.hasHost(address.host)) return [];
    knownOrigin ??= address.origin;
    if (!isOwnOrigin(headers.origin)) return [];
    const { timestamp, event: name, value, id } = input;
    const isFar =
      timestamp === null || timestamp < now.getTime() - earliestMs || timestamp > now.getTime() + latestMs;
    const at = isFar ? now : new Date(timestamp);
    const referrer = input.referrer === null ? undefined : readAddress(input.referrer);
    const isFromElsewhere = referrer !== undefined && referrer.host !== '' && !website.hasHost(referrer.host);
    const event: VisitorEvent = {
      id: input.event_id ?? newId(),
      subject: 'visitor',
      organizationId: website.organizationId,
      touchpointId: website.touchpointId,
      type: input.type,
      at,
      clientAt: isFar ? new Date(timestamp ?? now) : null,
      visitorId: input.anonymous_id,
      name,
      url: address.url,
      path: address.path,
      title: input.title,
      referrer: referrer?.url ?? null,
      referrerHost: isFromElsewhere ? referrer.host.slice(0, maxReferrerHostLength) : null,
      language: input.language,
      country,
      width: input.width,
      height: input.height,
      userId: input.user_id,
      collection: input.collection,
      isBot,
      message: null,
      conversion: name === null || isBot ? null : website.conversionOf({ name, at, value, id }),
    };
    return [[event, input.ctm_aid]];
  });
}
