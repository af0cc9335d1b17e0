import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import { getEventIteratorSchemaDetails, isContractProcedure } from '@orpc/contract';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { maxItems } from '@reachout/contract/content.ts';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import { maxBatchKeys } from '@reachout/contract/rules/lengths.ts';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { ServerResponse } from 'node:http';
import { findApiKeyCaller } from './identity/api-keys/find-api-key-caller.ts';
import { originOf, type Caller } from './identity/access/caller.ts';
import { registerApiDocs } from './api-docs.ts';
import { updateBrand } from './clients/brands/brand.queries.ts';
import { updateClient } from './clients/clients/client.queries.ts';
import { updateOrganization } from './identity/organizations/organization.queries.ts';
import { statisticsExport } from './insight/statistics/statistics-export.ts';
import { recipientExport } from './delivery/sends/recipient-export.ts';
import { searchOf, toUrlQuery } from './content/rest-api/read-query.ts';
import { registerRestApi } from './content/rest-api/rest-api.routes.ts';
import { itemExport } from './contacts/exports/item-export.routes.ts';
import { proofExport } from './contacts/sign-ups/proof-export.ts';
import { suppressionExport } from './contacts/consent/suppression-export.ts';
import { createContentBuckets } from './content/files/content-buckets.ts';
import { registerPublicImages, registerSignedFiles } from './content/files/open-files.routes.ts';
import { registerFileTransfer } from './content/files/file-transfer.routes.ts';
import { registerImportRoutes } from './contacts/imports/import.routes.ts';
import { rejectedExport } from './contacts/imports/rejected-csv.ts';
import { auditLogExport } from './identity/audit-log/audit-log.routes.ts';
import { registerFileExports } from './identity/access/file-exports.ts';
import { allowedOrigins } from './platform/config.ts';
import { badRequest, notSignedIn, unknownPath } from './platform/http/api-error.ts';
import { limitConnections, matchProxies } from './platform/http/connections.ts';
import { createHoldings } from './platform/http/holdings.ts';
import { reportHttp } from './platform/http/http-metrics.ts';
import { limitBodies } from './platform/http/open-bodies.ts';
import { limitResponses } from './platform/http/open-responses.ts';
import { requesterOf, runFor } from './platform/http/requester.ts';
import { newId } from './platform/ids.ts';
import { createSharedLookups } from './platform/shared-lookups.ts';
import { createWaitBudget, within, type WaitBudget } from './platform/wait-budget.ts';
import { registerDataPages } from './operations/data-requests/data-page.routes.ts';
import { registerHealth } from './operations/health/health.routes.ts';
import { createDemoKey } from './operations/demo/demo-key.ts';
import { createMailboxKey, type MailboxKey } from './operations/mailbox/mailbox-key.ts';
import { refuseBrokenRequests, safeHeaders } from './platform/http/broken-requests.ts';
import {
  addRetryAfter,
  encodeProblem,
  toApiError,
  translateErrors,
  treatHeadAsGet,
  treatSearchAsGet,
} from './platform/http/orpc-problems.ts';
import {
  acceptJsonOnly,
  checkBeforeBody,
  forbidCaching,
  guardOrigin,
  maxPublicBytes,
  rejectAmbiguous,
  sendApiErrors,
  sendProblem,
} from './platform/http/request-guards.ts';
import { catchUnknownOperations, refuseUnknownAddresses } from './platform/http/unknown-addresses.ts';
import { limitTrackingHosts, registerTrackingHosts } from './outreach/domains/tracking-host.routes.ts';
import { createRouter } from './router.ts';
import type { Services } from './services.ts';
import { registerPublicLogos } from './identity/storage/public-logo.routes.ts';
import { registerStorageRoutes } from './identity/storage/storage.routes.ts';
import { registerStatisticsApi } from './insight/statistics/statistics-api.routes.ts';
import { registerTrackerScript } from './insight/tracking/tracker-script.routes.ts';
import { recordConversions } from './insight/conversions/record-conversions.ts';
import { bindVisitors } from './insight/tracking/bind-visitors.ts';
import { registerProviderEvents } from './delivery/returned-mail/provider-events.routes.ts';
import { registerPreferencePage } from './insight/preferences/preference-page.routes.ts';
import { policyOfInstallation } from './email/transports/sender-policy.ts';
import { registerSignUps } from './insight/sign-ups/sign-up.routes.ts';
import { registerTracking } from './insight/tracking/tracking.routes.ts';
import { registerAuthRoutes } from './identity/auth/auth.routes.ts';
import { registerWebApp } from './web-app.ts';

/** Time that open requests get to finish when the server stops. */
const drainLimitMs = 3_000;

/**
 * Builds the HTTP side of one process without listening, so that tests can inject requests.
 * @param webFolder  folder of the built web app; without it, only the API responds
 * @param trackerScript  file of the built tracker; without it, there is no `/tracker.js`
 */
export async function createApp(
  services: Services,
  webFolder?: string,
  trackerScript?: string,
): Promise<FastifyInstance> {
  const { config, log } = services;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: () => newId(),
    // Any client can set forwarding headers, so they are only trusted from the configured proxies.
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    bodyLimit: 1_050_000,
    requestTimeout: 300_000,
    // `rejectAmbiguous` requires a host.
    http: {
      headersTimeout: 10_000,
      // How often Node looks for connections whose time is up.
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    clientErrorHandler: refuseBrokenRequests(log),
    routerOptions: { maxParamLength: 512 },
    // Handles requests that never reach a route, such as a path with invalid escapes.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, ...safeHeaders });
      void sendProblem(reply, badRequest());
    },
    return503OnClosing: true,
    // Keep-alive connections of browsers must not delay a stop.
    forceCloseConnections: 'idle',
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  limitOpenRequests(app, services);
  limitDrain(app);
  handleErrors(app);
  await secureHeaders(app, config.publicUrl);
  rejectAmbiguous(app);
  if (config.roles.includes('api')) limitRequests(app, services);
  limitTrackingHosts(app, services.trackingHosts, log);
  // In an earlier hook, the async context would be lost while the body is read.
  app.addHook('preHandler', (request, _reply, done) =>
    runFor(requesterOf(request), () => within(waitBudgetOf(request, services), done)),
  );
  refuseUnknownAddresses(app);
  // An encoder of zstd keeps 1.3 MB for a client that reads nothing, those of the others a fifth of it.
  await app.register(compress, { global: true, threshold: 1_024, encodings: ['br', 'gzip', 'deflate'] });

  registerTrackingHosts(app, services.trackingHosts, matchProxies(config.trustedProxies));
  if (config.roles.includes('tracking')) {
    const pages = {
      ...services,
      db: services.trackingDb,
      effects: [bindVisitors, recordConversions],
      publicUrl: config.publicUrl,
    };
    await registerTracking(app, { ...pages, pipelined: services.trackingPipelined });
    await registerProviderEvents(app, { ...services, pipelined: services.trackingPipelined });
    await registerPreferencePage(app, pages);
    await registerDataPages(app, pages);
    await registerSignUps(app, {
      ...pages,
      perNetwork: config.signUpsPerNetwork,
      policy: policyOfInstallation(config),
    });
    if (trackerScript !== undefined) registerTrackerScript(app, trackerScript);
    await registerPublicLogos(app, pages);
    await registerPublicImages(app, pages);
  }
  if (config.roles.includes('api')) await registerApiSide(app, services, webFolder);
  else registerHealth(app, services.isReady);
  return app;
}

const waitBudgets = new WeakMap<FastifyRequest['raw'], WaitBudget>();

function waitBudgetOf({ raw }: Pick<FastifyRequest, 'raw'>, { maxWaitMs }: Services): WaitBudget {
  const budget = waitBudgets.get(raw) ?? createWaitBudget(maxWaitMs);
  waitBudgets.set(raw, budget);
  return budget;
}

/** Bounds what is kept for clients that are slow or gone: connections, bodies and responses. */
function limitOpenRequests(app: FastifyInstance, { httpLimits, config }: Services): void {
  const responses = createHoldings({
    kind: 'responses',
    shares: httpLimits.responses.shares,
    whenFull: 'refuse',
    detail: 'Earlier responses have not been read yet. Read them, or close their connections, and try again.',
  });
  const bodies = createHoldings({
    kind: 'bodies',
    shares: httpLimits.bodies.shares,
    whenFull: 'cut_oldest',
    detail: 'Too many bodies of requests are being received or processed. Try again in a moment.',
  });
  const connections = limitConnections(app, httpLimits.connections, config.trustedProxies);
  limitResponses(app, responses, httpLimits.responses);
  limitBodies(app, bodies, httpLimits.bodies);
  const stopReporting = reportHttp({ responses, bodies, connections });
  app.addHook('onClose', async () => stopReporting());
}

function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return await sendProblem(reply, badRequest(status));
    return await sendProblem(reply, toApiError(error, request.log));
  });
  app.setNotFoundHandler(async (_request, reply) => await sendProblem(reply, unknownPath()));
}

/**
 * Paths without a rate limit. Opens and clicks arrive in thousands from the few networks of large mail providers, and none
 * may be lost; events of websites have limits of their own; health checks are cheap.
 */
const unlimitedPaths = /^\/(?:[tupvl]\/|api\/track$|api\/health\/)/;
/** Paths of operations, the content API, and statistics for the Directus of an organization. */
const apiPaths = /^\/(?:api|content|reachout)\//;
/** Cost of a file of the web app, in requests: it is read from disk, and the first page needs dozens of files. */
const costOfFile = 0.1;

/** Runs before everything else, so that rate-limited requests need neither a database connection nor a lookup. */
function limitRequests(app: FastifyInstance, { access: { limits }, auth }: Services): void {
  app.addHook('onRequest', async ({ url, routeOptions, ip, headers }) => {
    // A request can write the path of a route in many ways, such as `/%61pi/me`; the route has only one.
    const path = routeOptions.url ?? url;
    if (unlimitedPaths.test(path)) return;
    const isApi = apiPaths.test(path);
    await limits.countNetwork(ip, isApi ? 1 : costOfFile);
    const credential = headers.authorization ?? auth.sessionCookieOf(headers.cookie);
    if (isApi && credential !== undefined) await limits.countCredential(credential);
  });
}

async function secureHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The component library writes style elements; scripts are only loaded from our own files.
        styleSrc: ["'self'", "'unsafe-inline'"],
        scriptSrc: ["'self'"],
        // Previews show images from senders in a frame without scripts.
        imgSrc: ["'self'", 'data:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Only these policies of the web app turn text into markup (platform/trusted-types.ts, ui/mail-document.ts) or start
        // a worker from its own files (platform/create-worker.ts).
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default', 'email', 'worker'],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: publicUrl.startsWith('https://'),
  });
}

/** Registers the operations for signed-in users and API keys, and the pages of the web app. */
async function registerApiSide(
  app: FastifyInstance,
  services: Services,
  webFolder: string | undefined,
): Promise<void> {
  const { config } = services;
  // RFC 10008 calls it QUERY; Directus and its clients say SEARCH.
  app.addHttpMethod('SEARCH', { hasBody: true });
  const callers = createFindCaller(app, services);
  const { findCaller: findCallerOf, findCallerEarly } = callers;
  const requests = { ...services, ...callers, bodyTimeoutMs: services.httpLimits.bodies.uploadMs };
  const mailboxKey = createMailboxKey(config);
  mailboxKey?.register(app);
  const demoKey = createDemoKey(services);
  demoKey?.register(app);
  await app.register(async (scope) => {
    guardOrigin(scope, allowedOrigins(config.publicUrl));
    await scope.register(async (auth) => {
      acceptJsonOnly(auth, { maxBytes: maxPublicBytes });
      registerAuthRoutes(auth, {
        ...services,
        db: services.authDb,
        offerSystemMailbox: (cookies) =>
          mailboxKey === undefined ? null : mailboxKey.isIn(cookies) ? 'open' : 'needs_link',
        offerDemo: (cookies) => demoKey?.offerTo(cookies) ?? Promise.resolve(null),
      });
    });
    await scope.register(async (members) => {
      checkBeforeBody(members, async (request) => {
        if (request.routeOptions.config.isPublic === true) return;
        if ((await findCallerEarly(request)) === undefined) throw notSignedIn();
      });
      await registerImportRoutes(members, requests);
      const ofFiles = { ...requests, publicUrl: config.publicUrl };
      await registerFileTransfer(members, ofFiles);
      await registerFileExports(members, requests, [
        auditLogExport,
        itemExport(services),
        proofExport(services),
        rejectedExport,
        recipientExport,
        statisticsExport,
        suppressionExport,
      ]);
      await registerStorageRoutes(members, {
        ...requests,
        updateLogo: { organizations: updateOrganization, clients: updateClient, brands: updateBrand },
        contentBuckets: createContentBuckets(ofFiles),
      });
      await registerSignedFiles(members, services);
      await members.register(async (api) => await registerApi(api, services, findCallerOf, mailboxKey));
    });
  });
  // Outside the scope that checks the origin, because these routes accept no session.
  await registerRestApi(app, requests);
  await registerStatisticsApi(app, requests);
  catchUnknownOperations(app);
  registerApiDocs(app, config.publicUrl);
  if (webFolder !== undefined) await registerWebApp(app, webFolder);
}

/** Ends event streams when the server stops, because they last for hours and their clients reconnect. */
function limitDrain(app: FastifyInstance): void {
  const streams = new Set<ServerResponse>();
  app.addHook('onSend', async (_request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
    streams.add(reply.raw);
    reply.raw.once('close', () => streams.delete(reply.raw));
  });
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.destroy();
    setTimeout(() => app.server.closeAllConnections(), drainLimitMs).unref();
  });
}

/**
 * Authenticates requests. If a request has an API key, its session cookie is ignored. Concurrent requests with the same key
 * share their lookups, like those of a session, so that other requests do not wait for them.
 */
function createFindCaller(app: FastifyInstance, services: Services) {
  const { auth, access, secrets } = services;
  const share = createSharedLookups<Caller | undefined>('look-ups of API keys');
  /** The caller of a request whose body is still being received, for its handler. */
  const early = new WeakMap<FastifyRequest['raw'], Caller>();

  async function findCaller(request: IncomingRequest): Promise<Caller | undefined> {
    const { authorization } = request.headers;
    const caller =
      authorization === undefined
        ? await auth.findCaller(new Headers(request.headers as Record<string, string>))
        : await share(authorization, () => findApiKeyCaller(access.db, secrets, authorization));
    if (caller === undefined) return undefined;
    await access.limits.countCaller(caller);
    const requester = requesterOf(request);
    requester.person = caller.userId;
    requester.isBulk = caller.apiKey !== undefined;
    requester.tenant ??= caller.apiKey?.organizationId;
    app.requireResponseRoom(requester);
    return caller;
  }

  return {
    findCaller: async (request: IncomingRequest) => {
      const known = early.get(request.raw);
      early.delete(request.raw);
      return known ?? (await findCaller(request));
    },
    /** Like `findCaller`, before the body is read. */
    findCallerEarly: async (request: IncomingRequest) => {
      const caller = await within(waitBudgetOf(request, services), () => findCaller(request));
      if (caller !== undefined) early.set(request.raw, caller);
      return caller;
    },
  };
}

type IncomingRequest = Pick<FastifyRequest, 'headers' | 'raw' | 'ip'>;

const singleHeader = ({ headers }: FastifyRequest, name: string): string | undefined =>
  [headers[name] ?? []].flat()[0];

async function registerApi(
  app: FastifyInstance,
  services: Services,
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>,
  mailboxKey: MailboxKey | undefined,
): Promise<void> {
  acceptJsonOnly(app);
  forbidCaching(app);
  // The handler writes every body as plain JSON.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) reply.type('application/problem+json');
  });
  const handler = new OpenAPIHandler(createRouter(services), {
    customErrorResponseBodyEncoder: encodeProblem,
    interceptors: [translateErrors],
    rootInterceptors: [treatHeadAsGet, treatSearchAsGet, addRetryAfter],
  });
  sendApiErrors(app);
  const handle = (bodyField: string | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (bodyField !== undefined)
      request.body = { ...(request.query as object), [bodyField]: request.body ?? {} };
    const isSearch = request.method === 'SEARCH';
    const { matched } = await handler.handle(request, reply, {
      prefix: '/api',
      context: {
        db: services.db,
        expensiveDb: services.expensiveDb,
        access: services.access,
        findCaller: () => findCaller(request),
        path: request.url.replace(/\?.*$/, '').slice('/api'.length),
        idempotencyKey: singleHeader(request, 'idempotency-key'),
        origin: originOf(request),
        log: request.log,
        hasMailboxKey: mailboxKey?.isIn(request.headers.cookie) === true,
        searchQuery: isSearch ? toUrlQuery(searchOf(request.body, maxItems)) : undefined,
      },
    });
    if (!matched) await sendProblem(reply, unknownPath());
  };
  for (const { method, path, isStream, isPublic, bodyField, takesSearch } of listRoutes(contract)) {
    app.route({
      method: takesSearch ? [method, 'SEARCH'] : method,
      config: { isPublic, ...(bodyField === undefined ? {} : { maxKeys: maxBatchKeys }) },
      ...(isPublic ? { bodyLimit: maxPublicBytes } : {}),
      url: `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      // A HEAD request for a stream would stay open as long as the stream.
      exposeHeadRoute: method === 'GET' && !isStream,
      handler: handle(bodyField),
    });
  }
}

interface Route {
  method: HTTPMethods;
  path: string;
  isStream: boolean;
  isPublic: boolean;
  bodyField: string | undefined;
  takesSearch: boolean;
}

/** Lists the method, path and options of every operation. */
function* listRoutes(router: object): Generator<Route> {
  for (const child of Object.values(router) as object[]) {
    if (!isContractProcedure(child)) {
      yield* listRoutes(child);
      continue;
    }
    const { route, outputSchema, meta } = child['~orpc'];
    const { access, bodyField, takesSearch } = meta as OperationMeta;
    yield {
      method: route.method ?? 'POST',
      path: route.path ?? '/',
      isStream: getEventIteratorSchemaDetails(outputSchema) !== undefined,
      isPublic: access.who === 'public',
      bodyField,
      takesSearch,
    };
  }
}
