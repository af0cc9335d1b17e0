import {
  startMaliciousServer,
  type MaliciousServer,
} from '../../apps/server/src/testing/malicious-server.ts';
import { serveParent } from './child-process.ts';

// A Directus that means harm, in a process of its own: elsewhere it would have a machine of its own.

export interface MaliciousDirectus {
  host: string;
  /** What it answers with is what is searched for. */
  url: string;
}

let server: MaliciousServer | undefined;

serveParent({ start, hangUp: () => server?.hangUp() });

async function start(): Promise<MaliciousDirectus> {
  server = await startMaliciousServer();
  return { host: `127.0.0.1:${server.port}`, url: server.url };
}
