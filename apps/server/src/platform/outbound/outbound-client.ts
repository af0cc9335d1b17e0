import { setTimeout as delay } from 'node:timers/promises';
import { Resolver } from 'node:dns/promises';
import { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch, type Dispatcher, type Response } from 'undici';
import { createConcurrencyLimiter } from '../concurrency-limiter.ts';
import type { BodyBounds } from './bounded-json.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import { createBodyTurns, type BodyTurn, type BodyTurnLimits } from './body-turns.ts';
import { createGuardedLookup, type NameResolver } from './guarded-lookup.ts';
import { isWithdrawal, OutboundFailure, RequestWithdrawn, toOutboundFailure } from './outbound-failure.ts';
import { readHost, readPrivateHosts, readTarget } from './outbound-target.ts';

export interface OutboundRequest {
  /** Owner of the request; limits apply per owner. */
  owner: string;
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** Deadline, as `Date.now()`; several requests may share the time limit of one. */
  until?: number | undefined;
  /** Checks the body while it arrives; the request fails as `too_large` once it is rejected. */
  bounds?: BodyBounds;
  /** Also allows http on port 80, for requests without secrets. */
  allowsHttp?: boolean;
  /**
   * Called once the request has its connection, right before its first byte is written: a request that fails without this call has
   * not left. False withdraws it: the call then fails without an OutboundFailure.
   */
  mayLeave?: () => boolean;
}

export interface OutboundResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  /** Undefined without TLS. */
  certificateEndsAt: Date | undefined;
}

export interface SocketTarget {
  /** A name, or an IP address without brackets. */
  host: string;
  lookup: LookupFunction;
}

/** The only HTTP client for user-supplied URLs; docs/security.md describes its rules. */
export interface OutboundClient {
  /** Checks whether a URL is allowed. Its name is resolved by a request only. @throws OutboundFailure */
  checkAddress: (url: string) => void;
  /** @throws OutboundFailure; LimitExceeded if too many requests of the owner are waiting */
  request: (request: OutboundRequest) => Promise<OutboundResponse>;
  /**
   * Checks a host of another protocol. A connection has to use the returned host and look-up, so that it is made to a checked address.
   * @throws OutboundFailure
   */
  socketTo: (host: string, port: number) => SocketTarget;
  /** Maximum duration of one request. */
  totalMs: number;
  close: () => Promise<void>;
}

export interface OutboundLimits extends BodyTurnLimits {
  connectMs: number;
  headersMs: number;
  totalMs: number;
  /** Maximum size of a body after decompression. */
  maxBytes: number;
  /** Maximum concurrent requests of one owner. */
  maxConcurrent: number;
  /** Consecutive failed requests of an owner to one server after which further ones are paused. */
  failures: number;
  pauseMs: number;
  /** Requests to names that cannot be used fail after a multiple of this time: it must not tell a private from an unknown name. */
  unusableNameMs: number;
}

export const outboundLimits: OutboundLimits = {
  connectMs: 3_000,
  headersMs: 10_000,
  totalMs: 30_000,
  maxBytes: 10_000_000,
  maxConcurrent: 10,
  largeBytes: 100_000,
  largeValues: 5_000,
  bytesPerSecond: 10_000_000,
  valuesPerSecond: 100_000,
  failures: 5,
  pauseMs: 30_000,
  unusableNameMs: 1_000,
};

/**
 * For requests that hand messages over: a response that comes late is worth waiting for, because without it nobody knows whether the
 * message was sent.
 */
export const handoverLimits: OutboundLimits = {
  ...outboundLimits,
  connectMs: 10_000,
  headersMs: 60_000,
  totalMs: 60_000,
  maxConcurrent: 50,
};

/** For requests that others wait behind, and that can be repeated later. */
export const briefLimits: OutboundLimits = { ...outboundLimits, headersMs: 3_000, totalMs: 5_000 };

/**
 * @param privateHosts  as the setting PRIVATE_HOSTS lists them
 * @param limits  tests use shorter ones
 * @param resolver  DNS resolver; tests use their own name servers
 */
export function createOutboundClient(
  privateHosts: readonly string[],
  limits: OutboundLimits = outboundLimits,
  resolver: NameResolver = new Resolver({ timeout: 1_000, tries: 2 }),
): OutboundClient {
  const listed = readPrivateHosts(privateHosts);
  const maxOfAll = 10 * limits.maxConcurrent;
  const lookup = createGuardedLookup(resolver, listed.hasName);
  const { agent, certificateEnds } = createAgent(lookup, limits, maxOfAll);
  /** Until a failure may be told: after a multiple of `unusableNameMs`. */
  const waitMs = (startedAt: number) =>
    limits.unusableNameMs - ((performance.now() - startedAt) % limits.unusableNameMs);
  const breaker = createCircuitBreaker(limits);
  const limitOf = (bound: string, maxConcurrent: number) =>
    createConcurrencyLimiter({ bound, maxConcurrent, maxQueued: 200, maxWaitMs: limits.headersMs });
  const ofOwner = limitOf('outbound requests of one owner', limits.maxConcurrent);
  const ofAll = limitOf('outbound requests', maxOfAll);
  const openTurn = createBodyTurns(limits, limits.headersMs);

  async function send(
    url: URL,
    { owner, method, headers, body, until = Number.POSITIVE_INFINITY, bounds, mayLeave }: OutboundRequest,
  ): Promise<OutboundResponse> {
    const leftMs = Math.min(limits.totalMs, until - Date.now());
    if (leftMs <= 0) throw new OutboundFailure('timeout');
    const response = await fetch(url, {
      dispatcher: mayLeave === undefined ? agent : askBeforeLeaving(agent, mayLeave),
      method,
      headers: { 'user-agent': 'Reachout', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(leftMs),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new OutboundFailure('redirect');
    }
    const turn = openTurn(owner);
    try {
      return {
        status: response.status,
        headers: new Headers([...response.headers]),
        body: await readBody(response, { maxBytes: limits.maxBytes, bounds, turn }),
        certificateEndsAt: certificateEnds.get(url.origin),
      };
    } finally {
      turn.end();
    }
  }

  return {
    checkAddress: (url) => {
      readTarget(url, listed);
    },
    request: async (request) => {
      const url = readTarget(request.url, listed, request.allowsHttp);
      const circuit = `${request.owner} ${url.origin}`;
      const startedAt = performance.now();
      const responded = ofOwner(request.owner, () =>
        ofAll(agent, async () => {
          if (breaker.isOpen(circuit)) throw new OutboundFailure('paused');
          try {
            if (listed.hides(url)) throw new OutboundFailure('name');
            const response = await send(url, request);
            breaker.noteSuccess(circuit);
            return response;
          } catch (error) {
            // Neither a limit on this side nor a change of mind is a failure of the server.
            if (error instanceof LimitExceeded || isWithdrawal(error)) throw error;
            breaker.noteFailure(circuit);
            throw toOutboundFailure(error);
          }
        }),
      );
      return await responded.catch(async (error: unknown) => {
        if (error instanceof OutboundFailure && error.kind === 'name') await delay(waitMs(startedAt));
        throw error;
      });
    },
    socketTo: (host, port) => ({
      host: readHost(host, port, listed),
      lookup: (name, options, callback) => {
        const startedAt = performance.now();
        lookup(name, options, (error, ...found) => {
          if (error === null) callback(error, ...found);
          else setTimeout(() => callback(error, ...found), waitMs(startedAt)).unref();
        });
      },
    }),
    totalMs: limits.totalMs,
    close: () => agent.destroy(),
  };
}

/** @param connections  per origin: as many as in total, so that owners of the same server do not wait for each other */
function createAgent(lookup: LookupFunction, { connectMs, headersMs }: OutboundLimits, connections: number) {
  const connect = buildConnector({ lookup, timeout: connectMs });
  /** By origin: responses do not name their connection. */
  const certificateEnds = new LRUCache<string, Date>({ max: 1_000 });
  const agent = new Agent({
    connect: (options, callback) => {
      connect(options, (...result) => {
        const [, socket] = result;
        // A resumed session may have no certificate; that of the first one is still known then.
        const end = socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : undefined;
        if (end !== undefined) certificateEnds.set(`https://${options.host}`, new Date(end));
        callback(...result);
      });
    },
    headersTimeout: headersMs,
    bodyTimeout: headersMs,
    connections,
    maxHeaderSize: 16_384,
  });
  return { agent, certificateEnds };
}

/** Undici starts a request when its connection is ready to carry it. */
const askBeforeLeaving = (agent: Agent, mayLeave: () => boolean): Dispatcher =>
  agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context) => {
          // A request that was aborted meanwhile is recognized here.
          handler.onRequestStart?.(controller, context);
          if (!controller.aborted && !mayLeave()) controller.abort(new RequestWithdrawn());
        },
        onRequestUpgrade: (...of) => handler.onRequestUpgrade?.(...of),
        onResponseStart: (...of) => handler.onResponseStart?.(...of),
        onResponseData: (...of) => handler.onResponseData?.(...of),
        onResponseEnd: (...of) => handler.onResponseEnd?.(...of),
        onResponseError: (...of) => handler.onResponseError?.(...of),
      }),
  );

/** Reads a body, and counts its bytes after decompression, since a few bytes may decompress to gigabytes. */
async function readBody(
  response: Response,
  { maxBytes, bounds, turn }: { maxBytes: number; bounds: BodyBounds | undefined; turn: BodyTurn },
): Promise<Buffer> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new OutboundFailure('too_large');
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes || bounds?.accepts(chunk) === false) throw new OutboundFailure('too_large');
    await turn.note(bytes, bounds?.values() ?? 0);
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}
