import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Of loopback; free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}
