import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Holding, Holdings } from './holdings.ts';
import type { HttpLimits } from './http-limits.ts';
import { countCutOff } from './http-metrics.ts';
import { requesterOf, type Requester } from './requester.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts the response of a request from now on, before its bytes are in memory.
     * @throws LimitExceeded 429 `too_many_requests`, 503 `unavailable`
     */
    reserveResponse: (request: FastifyRequest, bytes: number) => void;
    /**
     * Refuses a request, before any work, if its caller has left too many responses unread.
     * @throws LimitExceeded 429 `too_many_requests`
     */
    requireResponseRoom: (requester: Requester) => void;
  }
}

/** Bodies of responses are written in pieces of this size, so that the progress of a slow client can be seen. */
const pieceBytes = 65_536;
/** What a streamed response keeps in memory: its buffers, and the encoder that compresses it. */
const streamBytes = 262_144;
/** Responses up to this size are not counted: what bounds them is the number of open requests of one connection. */
const smallBytes = 4_096;

/** Their responses can be refused when it is known how large they are, because nothing was changed. */
const safeMethods = new Set(['GET', 'HEAD', 'SEARCH']);

interface OpenResponse {
  request: IncomingMessage;
  response: ServerResponse;
  holding: Holding | undefined;
  /** Milliseconds for which the client may still let bytes wait. */
  patienceMs: number;
  takenBytes: number;
}

/**
 * Counts the responses that their peers have not taken, by user, tenant, network and in all, and ends the connection
 * of a client that does not take one. Every response passes here: JSON, files, exports, event streams, pages and redirects.
 */
export function limitResponses(
  app: FastifyInstance,
  holdings: Holdings,
  { stallMs, bytesPerSecond }: HttpLimits['responses'],
): void {
  const open = new Set<OpenResponse>();
  const reserved = new WeakMap<IncomingMessage, Holding>();

  const hold = (request: FastifyRequest, bytes: number) =>
    holdings.hold(
      requesterOf(request),
      bytes,
      () => cutOff(request.raw),
      // A change was made: its response has to say so.
      !safeMethods.has(request.method),
    );
  app.decorate('requireResponseRoom', holdings.requireRoom);
  app.decorate('reserveResponse', (request, bytes) => {
    reserved.get(request.raw)?.release();
    reserved.set(request.raw, hold(request, bytes));
  });

  const cutOff = (request: IncomingMessage) => {
    countCutOff('responses');
    request.socket.destroy();
  };
  const forget = (one: OpenResponse) => {
    open.delete(one);
    one.holding?.release();
  };
  const intervalMs = stallMs / 20;
  const timer = setInterval(() => {
    for (const one of open) {
      const { socket } = one.request;
      // A response behind another one of its connection reports neither its end nor that of the connection.
      if (socket.destroyed) forget(one);
      else if (!isTaken(one)) {
        forget(one);
        cutOff(one.request);
      }
    }
  }, intervalMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  /** Waiting for the source, as event streams do, costs no patience. */
  function isTaken(one: OpenResponse): boolean {
    const taken = takenBytesOf(one.request);
    const earnedMs = ((taken - one.takenBytes) / bytesPerSecond) * 1_000;
    const lostMs = one.response.writableLength > 0 ? intervalMs : 0;
    one.takenBytes = taken;
    one.patienceMs = Math.min(stallMs, one.patienceMs + earnedMs - lostMs);
    return one.patienceMs > 0;
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = request.method === 'HEAD' ? 0 : bytesOf(payload);
    let holding = reserved.get(request.raw);
    try {
      if (bytes > smallBytes) holding ??= hold(request, bytes);
    } catch (error) {
      if (isStream(payload)) payload.destroy();
      for (const name of ['content-disposition', 'content-length', 'etag']) reply.removeHeader(name);
      throw error;
    }
    const takenBytes = takenBytesOf(request.raw);
    const one = { request: request.raw, response: reply.raw, holding, patienceMs: stallMs, takenBytes };
    open.add(one);
    reply.raw.once('finish', () => forget(one)).once('close', () => forget(one));
    return bytes > pieceBytes && !isStream(payload) ? toPieces(reply, payload as string | Buffer) : payload;
  });
}

const isStream = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return isStream(payload) ? streamBytes : 0;
}

/** @returns the bytes that the system took over for the client; 0 for an injected request, which has no connection */
function takenBytesOf({ socket }: IncomingMessage): number {
  const taken = socket.bytesWritten - socket.writableLength;
  return Number.isFinite(taken) ? taken : 0;
}

/** The text is released: only its bytes stay in memory. */
function toPieces(reply: FastifyReply, payload: string | Buffer): Readable {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  return Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: pieceBytes });
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
