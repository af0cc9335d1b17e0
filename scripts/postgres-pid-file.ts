import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Finds the server that runs on a data directory. Waits for one that is starting or stopping.
 * A stale file left behind by a dead server is ignored.
 * @returns undefined if no server runs there
 * @throws Error if the server is neither ready nor gone after `timeoutMs`
 * @see https://www.postgresql.org/docs/current/storage-file-layout.html on `postmaster.pid`
 */
export async function findRunningServer(
  dataDir: string,
  timeoutMs: number,
): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const server = await readPidFile(dataDir);
    if (server === undefined) return undefined;
    if (!(await isServerOf(server.pid, dataDir))) {
      // After a restart of the machine the pid may belong to another program. PostgreSQL cannot detect that, and would
      // refuse to start. A pid without a process is left to PostgreSQL's own, more careful check.
      if (isAlive(server.pid)) await rm(join(dataDir, pidFile), { force: true });
      return undefined;
    }
    if (server.status === 'ready') return server;
    if (Date.now() > deadline) throw new Error(`PostgreSQL in ${dataDir} is ${server.status} for too long`);
    await delay(50);
  }
}

/**
 * Waits until a server has exited, which happens shortly after it removed its file.
 * @returns false if it is still running after `timeoutMs`
 */
export async function isGoneWithin(timeoutMs: number, pid: number, dataDir: string): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (await isServerOf(pid, dataDir)) {
    if (Date.now() >= deadline) return false;
    await delay(10);
  }
  return true;
}

const pidFile = 'postmaster.pid';

interface PidFile {
  pid: number;
  port: number;
  /** 'starting', 'stopping', 'ready' or 'standby'; the line is missing right after the start. */
  status: string;
}

async function readPidFile(dataDir: string): Promise<PidFile | undefined> {
  const text = await readFile(join(dataDir, pidFile), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7] || 'starting' };
}

/** Checks the command line for the directory: pg_ctl starts `postgres -D <dataDir>`. */
const isServerOf = async (pid: number, dataDir: string): Promise<boolean> =>
  (await readCommandLine(pid)).includes(dataDir);

/** @returns an empty string for a process that has ended, also if it is still a zombie */
async function readCommandLine(pid: number): Promise<string> {
  if (existsSync('/proc/self/cmdline')) return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const ps = promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']);
  return ps.then(
    ({ stdout }) => stdout,
    () => '',
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
