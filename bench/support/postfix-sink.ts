import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopProcess } from './child-process.ts';
import type { Sink } from './sink.ts';

// smtp-sink(1) of Postfix, in C: it uses less CPU than a sink in JavaScript, which would hide improvements of the sender.
// It writes its counters to a file after each message, so the file's modification time is that of the last message.

/**
 * @param program  its name, looked up on PATH, or its path
 * @throws Error when it is not installed, or does not start
 */
export async function startPostfixSink(program: string): Promise<Sink> {
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'reachout-smtp-sink-'));
  const file = await open(join(directory, 'counters'), 'a+');
  // As root, it drops its privileges and needs a user name.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, ['-c', '-m', '512', ...user, `127.0.0.1:${port}`, '128'], {
    stdio: ['ignore', file.fd, 'inherit'],
    env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  });
  const killAtExit = () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', killAtExit);
  const cleanUp = async () => {
    process.off('exit', killAtExit);
    await file.close();
    await rm(directory, { recursive: true });
  };
  const stop = async () => {
    await stopProcess(child);
    await cleanUp();
  };
  try {
    await waitUntilItListens(child, port, program);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return { port, stop, ...countFrom(file) };
}

function countFrom(file: FileHandle): Pick<Sink, 'reset' | 'first' | 'count'> {
  let base = 0;
  let firstAt = 0;
  const countNew = async () => (await readMessages(file)) - base;
  return {
    reset: async (faults = {}) => {
      if (Object.keys(faults).length > 0) throw new Error('This bench needs the sink of the benches.');
      base = await readMessages(file);
      firstAt = 0;
    },
    first: async () => {
      while ((await countNew()) === 0) await delay(2);
      firstAt = performance.timeOrigin + performance.now();
    },
    count: async () => {
      const { mtimeMs } = await file.stat();
      return { messages: await countNew(), recipients: undefined, firstAt, lastAt: mtimeMs };
    },
  };
}

/** Reads the last counters from the file, which has entries such as `sess=16 quit=0 mesg=2000` and a carriage return. */
async function readMessages(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, Math.max(0, size - 200));
  const last = [...buffer.toString('latin1', 0, bytesRead).matchAll(/mesg=(\d+)\r/g)].at(-1);
  return Number(last?.[1] ?? 0);
}

async function waitUntilItListens(child: ChildProcess, port: number, program: string): Promise<void> {
  let problem: string | undefined;
  child.once('error', (error) => (problem = error.message));
  child.once('exit', (code, signal) => (problem = `it ended with ${code ?? signal}`));
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    if (problem !== undefined) {
      throw new Error(
        `${program} does not start: ${problem}. smtp-sink is part of Postfix (in Debian: apt-get install postfix); ` +
          '--sink takes its name or its path.',
      );
    }
    await delay(20);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
