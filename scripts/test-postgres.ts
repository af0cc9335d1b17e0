import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';

// Runs a throw-away PostgreSQL for tests while somebody holds the other end of the standard input. It stops, and removes
// all it has made, however the one who started it ends: a test runner that is killed, or ends itself, tears nothing down.
// Its one line of output is a `TestPostgres` as JSON.

export interface TestPostgres {
  /** Logs in as superuser. */
  url: string;
  /** For files of the tests; removed with the server. */
  folder: string;
}

// Signals are for the tests: they go on to use the server until they have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// Nobody may be left to read.
process.stdout.on('error', () => {});

const directory = await mkdtemp(join(tmpdir(), 'reachout-test-'));
const folder = join(directory, 'files');
try {
  // As root without user namespaces the server runs as nobody, who has to get through here.
  await chmod(directory, 0o711);
  await mkdir(folder, { mode: 0o711 });
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: false });
  try {
    console.log(JSON.stringify({ url: postgres.url, folder } satisfies TestPostgres));
    for await (const _ of process.stdin);
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
