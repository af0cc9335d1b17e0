import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TemporaryPostgres } from './postgres.ts';

// Runs a temporary PostgreSQL until its standard input is closed. It then stops and removes everything that it created,
// however the parent process ended: a test runner or a benchmark that is killed, or exits by itself, runs no teardown.
// Its only line of output is a `TemporaryPostgres` as JSON. With --durable, everything is on disk.

/** The data of a whole run takes up to 1 GB, most of it write-ahead log; the rest is for tests and browsers. */
const enoughMemoryMb = 6_000;

// Signals are meant for the parent process, which still uses the server until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// The reader of the output may have ended.
process.stdout.on('error', () => {});

const durable = process.argv.includes('--durable');
const folder = await mkdtemp(join(tmpdir(), 'reachout-files-'));
const directory = await mkdtemp(join(durable ? tmpdir() : await findPlace(), 'reachout-temporary-'));
try {
  // As root without user namespaces, the server runs as the user nobody, which needs access to these directories.
  for (const path of [folder, directory]) await chmod(path, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable });
  try {
    console.log(JSON.stringify({ url: postgres.url, directory, folder } satisfies TemporaryPostgres));
    for await (const _ of process.stdin);
  } finally {
    await postgres.stop();
  }
} finally {
  for (const path of [directory, folder]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Chooses memory if enough of it is free: each test file copies a database of 830 files, which takes a quarter of the CPU
 * time there. Containers often limit `/dev/shm` to 64 MB.
 */
async function findPlace(): Promise<string> {
  const memory = '/dev/shm';
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    const freeMb = Math.min(bavail * bsize, freemem()) / 2 ** 20;
    return freeMb < enoughMemoryMb ? tmpdir() : memory;
  } catch {
    // Only Linux has /dev/shm.
    return tmpdir();
  }
}
