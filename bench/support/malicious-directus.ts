import {
  startMaliciousServer,
  type MaliciousServer,
} from '../../apps/server/src/testing/malicious-server.ts';
import { serveParent } from './child-process.ts';

// A malicious Directus in its own process, since in reality it would have its own machine.

export interface MaliciousDirectus {
  host: string;
  /** The search text of a request selects the misbehavior. */
  url: string;
}

let server: MaliciousServer | undefined;

serveParent({ start, hangUp: () => server?.hangUp() });

async function start(): Promise<MaliciousDirectus> {
  server = await startMaliciousServer();
  return { host: `127.0.0.1:${server.port}`, url: server.url };
}
