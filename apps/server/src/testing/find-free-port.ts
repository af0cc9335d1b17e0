import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral port range, so that no other process is assigned a port before it is used. */
const firstPort = 10_000;
const lastPort = 32_000;
const given = new Set<number>();

/** @returns a free port on the loopback interface that this process has not returned before */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (given.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      // The port is in use.
      continue;
    }
    given.add(port);
    server.close();
    await once(server, 'close');
    return port;
  }
}
