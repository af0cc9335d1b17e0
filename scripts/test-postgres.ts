import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';

// Runs a throw-away PostgreSQL for tests while somebody holds the other end of the standard input. It stops, and removes
// all it has made, however the one who started it ends: a test runner that is killed, or ends itself, tears nothing down.
// Its one line of output is a `TestPostgres` as JSON.

export interface TestPostgres {
  /** Logs in as superuser. */
  url: string;
  /** Has its data; removed with it. */
  directory: string;
  /** For files of the tests; removed with the server. */
  folder: string;
}

/** The data of a whole run take up to 1 GB, most of it write-ahead log; the rest is for tests and browsers. */
const enoughMemoryMb = 6_000;

// Signals are for the tests: they go on to use the server until they have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// Nobody may be left to read.
process.stdout.on('error', () => {});

const folder = await mkdtemp(join(tmpdir(), 'reachout-test-files-'));
const directory = await mkdtemp(join(await findPlace(), 'reachout-test-'));
try {
  // As root without user namespaces the server runs as nobody, who has to get through here.
  for (const path of [folder, directory]) await chmod(path, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: false });
  try {
    console.log(JSON.stringify({ url: postgres.url, directory, folder } satisfies TestPostgres));
    for await (const _ of process.stdin);
  } finally {
    await postgres.stop();
  }
} finally {
  for (const path of [directory, folder]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * In memory, where enough of it is free: each test file copies a database of 830 files, which takes a quarter of the CPU time
 * there. Containers often limit `/dev/shm` to 64 MB.
 */
async function findPlace(): Promise<string> {
  const memory = '/dev/shm';
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    const freeMb = Math.min(bavail * bsize, freemem()) / 2 ** 20;
    return freeMb < enoughMemoryMb ? tmpdir() : memory;
  } catch {
    // Only Linux has it.
    return tmpdir();
  }
}
