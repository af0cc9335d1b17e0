import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from './api-error.ts';
import type { Holding, Holdings } from './holdings.ts';
import type { HttpLimits } from './http-limits.ts';
import { countCutOff } from './http-metrics.ts';
import { requesterOf } from './requester.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body in pieces, within limits of its own: images, files and imports. */
    isUpload?: boolean;
  }
}

/** What an upload keeps in memory while it arrives; files and images, which are kept whole, have limits of their own. */
const uploadBytes = 262_144;
/** Maximum number of connections whose refused body is discarded, and the bytes of such a body of a stranger. */
const maxLingering = 200;
const maxDiscardedBytes = 2_000_000;

export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

/**
 * Counts the bodies that are not received, by user, network and in all, before they are read, and ends those that arrive too
 * slowly. The `onRequest` hooks, which run before, check address, caller, origin, type and size.
 */
export function limitBodies(app: FastifyInstance, holdings: Holdings, limits: HttpLimits['bodies']): void {
  delayContinue(app);
  const linger = createLinger(limits.lingerMs);

  app.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request)) return payload;
    const { isUpload = false } = request.routeOptions.config;
    const source = request.raw;
    // It came with the head, so there is nothing to wait for, and the buffer of the connection bounds its size.
    if (source.complete && !isUpload) return payload;
    const counted = isUpload ? undefined : countChunks(request, (bytes) => holding.grow(bytes));
    const end = (detail?: string) => {
      if (counted !== undefined) source.unpipe(counted);
      stopWatch();
      holding.release();
      countCutOff('bodies');
      if (!reply.sent) void reply.send(apiError('request_timeout', undefined, detail));
    };
    const bytes = isUpload ? uploadBytes : Number(request.headers['content-length'] ?? 0);
    const holding: Holding = holdings.hold(requesterOf(request), bytes, () =>
      end('The request took too long to arrive while many others did.'),
    );
    const stopWatch = isUpload
      ? watchProgress(source, limits.stallMs, () => end())
      : watchTime(limits.receiveMs, () => end());
    const forget = () => {
      stopWatch();
      holding.release();
    };
    reply.raw.once('finish', forget).once('close', forget);
    source.once('close', stopWatch).once('end', () => {
      stopWatch();
      holding.settle();
    });
    if (isExpecting(request)) reply.raw.writeContinue();
    return counted === undefined ? payload : payload.pipe(counted);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    // Injected requests are never `complete`.
    if (!hasBody(request) || request.raw.complete || request.raw.readableEnded) return payload;
    // What is left of the body would be read as the next request.
    reply.header('connection', 'close');
    if (typeof payload !== 'string') return payload;
    const maxBytes = requesterOf(request).person === undefined ? maxDiscardedBytes : Infinity;
    return linger(request.raw, reply, payload, maxBytes);
  });
}

/** Counts a body without a declared length while it arrives. */
function countChunks({ headers }: FastifyRequest, count: (bytes: number) => void): Transform {
  const isDeclared = headers['content-length'] !== undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        if (!isDeclared) count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** @returns a function that ends the watch */
function watchTime(ms: number, onLate: () => void): () => void {
  const timer = setTimeout(onLate, ms).unref();
  return () => clearTimeout(timer);
}

/** @returns a function that ends the watch */
function watchProgress(source: IncomingMessage, stallMs: number, onStall: () => void): () => void {
  const intervalMs = stallMs / 10;
  let received = 0;
  let stalledMs = 0;
  const timer = setInterval(() => {
    const { bytesRead } = source.socket;
    // As long as the handler does not read, the client can send nothing.
    stalledMs = source.readableFlowing === true && bytesRead === received ? stalledMs + intervalMs : 0;
    received = bytesRead;
    if (stalledMs >= stallMs) onStall();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

const isExpecting = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  headers.expect?.toLowerCase() === '100-continue';

/** A client that asks before its body is told to continue only after all checks, and otherwise never begins. */
function delayContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
}

/**
 * Ends a response only once the rest of the body has arrived, or after a while: a connection that is closed while bytes
 * arrive is reset, and the client would lose the response.
 */
function createLinger(lingerMs: number) {
  let lingering = 0;

  async function* thenDiscard(source: IncomingMessage, text: string, maxBytes: number) {
    lingering += 1;
    const ended = new AbortController();
    const end = () => ended.abort();
    let discarded = 0;
    const count = ({ length }: Buffer) => {
      discarded += length;
      if (discarded > maxBytes) end();
    };
    try {
      yield text;
      if (source.readableEnded) return;
      source.once('end', end).once('close', end).on('data', count).resume();
      await delay(lingerMs, undefined, { signal: ended.signal }).catch(() => undefined);
    } finally {
      lingering -= 1;
      source.off('end', end).off('close', end).off('data', count);
    }
  }

  return (source: IncomingMessage, reply: FastifyReply, text: string, maxBytes: number) => {
    if (lingering >= maxLingering || source.destroyed) return text;
    reply.header('content-length', Buffer.byteLength(text));
    // An encoder would keep the text until the end of the stream (@fastify/compress).
    source.headers['x-no-compression'] = 'true';
    return Readable.from(thenDiscard(source, text, maxBytes), { objectMode: false });
  };
}
