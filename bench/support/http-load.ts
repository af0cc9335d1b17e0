import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadOptions {
  port: number;
  connections: number;
  /** Milliseconds. */
  duration: number;
  /** @returns the path of request number n */
  path: (n: number) => string;
  /** @returns additional headers of request number n, such as a cookie */
  headers?: (n: number) => Record<string, string>;
  /** @returns the JSON body of request number n, which makes it a POST */
  body?: (n: number) => string | undefined;
  /** Milliseconds between a response and the next request on the connection. */
  pause?: number;
  /** Required beginning of every response, such as `HTTP/1.1 200`. */
  expected: string;
}

export interface LoadReport {
  requests: number;
  perSecond: number;
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** Milliseconds from request to complete response. */
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Sends requests over keep-alive connections, each as soon as the previous response is complete. Reads only the necessary
 * parts of responses: a client that parses them would dominate the measurement.
 * @throws Error when a response is not as expected
 */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const started = performance.now();
  const end = started + options.duration;
  let requests = 0;
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
      try {
        while (performance.now() < end) {
          const asked = performance.now();
          const n = requests++;
          const status = await ask(socket, {
            path: options.path(n),
            headers: options.headers?.(n) ?? {},
            body: options.body?.(n),
            expected: options.expected,
          });
          times.push(performance.now() - asked);
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (options.pause !== undefined) await delay(options.pause);
        }
      } finally {
        socket.destroy();
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    statuses,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}

interface Question {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  expected: string;
}

/** @returns the status of the response */
function ask(socket: Socket, { path, headers, body, expected }: Question): Promise<string> {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const withBody =
    body === undefined
      ? '\r\n'
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let response = '';
  const onData = (chunk: Buffer) => {
    response += chunk.toString('latin1');
    const headEnd = response.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(response)?.[1]);
    if (response.length < headEnd + 4 + length) return;
    finish(
      response.startsWith(expected) ? undefined : new Error(`Unexpected answer: ${response.slice(0, 200)}`),
    );
  };
  const onClose = () => finish(new Error('The server closed the connection.'));
  const onError = (error: Error) => finish(error);
  const finish = (error?: Error) => {
    socket.off('data', onData).off('close', onClose).off('error', onError);
    if (error === undefined) resolve(response.slice(9, 12));
    else reject(error);
  };
  socket.on('data', onData).on('close', onClose).on('error', onError);
  socket.write(
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept: */*\r\n${more.join('')}${withBody}`,
  );
  return promise;
}
