import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any port: what is free stays free until it is used. */
const firstPort = 10_000;
const lastPort = 32_000;
const given = new Set<number>();

/** Of loopback; nobody else's in this process. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (given.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      // It is taken.
      continue;
    }
    given.add(port);
    server.close();
    await once(server, 'close');
    return port;
  }
}
