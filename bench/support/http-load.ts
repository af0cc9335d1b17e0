import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  port: number;
  connections: number;
  /** Milliseconds. */
  duration: number;
  /** The path of request number n. */
  path: (n: number) => string;
  /** What request number n brings besides, such as a cookie. */
  headers?: (n: number) => Record<string, string>;
  /** What every response has to begin with, such as `HTTP/1.1 200`. */
  expected: string;
}

export interface LoadReport {
  requests: number;
  perSecond: number;
  /** Milliseconds from request to complete response. */
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Asks over keep-alive connections, the next question as soon as the response is complete. Reads only what it needs of
 * responses: with a client that parses them, the client would be what is measured.
 * @throws Error when a response is not as expected
 */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const times: number[] = [];
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
          await ask(socket, options.path(n), options.headers?.(n) ?? {}, options.expected);
          times.push(performance.now() - asked);
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
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}

function ask(socket: Socket, path: string, headers: Record<string, string>, expected: string): Promise<void> {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
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
    if (error === undefined) resolve();
    else reject(error);
  };
  socket.on('data', onData).on('close', onClose).on('error', onError);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept: */*\r\n${more.join('')}\r\n`,
  );
  return promise;
}
