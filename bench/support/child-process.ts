import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Request handlers of a child process, by name. */
type Handlers = Record<string, (argument: never) => unknown>;

interface Request {
  id: number;
  name: string;
  argument: unknown;
}

export interface Child {
  pid: number;
  /** @throws Error when the process ends before it responds */
  ask: <T>(name: string, argument?: unknown) => Promise<T>;
  stop: () => Promise<void>;
}

/** Starts a file of this folder as its own process; resolves when it is ready. */
export async function startChild(file: string): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let lastId = 0;
  child.on('message', ({ id, response }: { id: number; response: never }) =>
    waiting.get(id)?.resolve(response),
  );
  child.on('exit', (code, signal) => {
    const error = new Error(`${file} ended with ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(error);
  });
  const ask = async <T>(name: string, argument?: unknown): Promise<T> => {
    const request: Request = { id: (lastId += 1), name, argument };
    const response = Promise.withResolvers<never>();
    waiting.set(request.id, response);
    child.send(request);
    try {
      return await response.promise;
    } finally {
      waiting.delete(request.id);
    }
  };
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  await once(child, 'message');
  return { pid: child.pid!, ask, stop: () => stopProcess(child) };
}

/** Sends SIGTERM and waits until the process has exited. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** In a child process: reports that it is ready, and handles requests from now on. */
export function serveParent(handlers: Handlers): void {
  process.on('message', ({ id, name, argument }: Request) => {
    void (async () => process.send?.({ id, response: await handlers[name]!(argument as never) }))();
  });
  // The parent process has exited.
  process.on('disconnect', () => process.exit(1));
  process.send?.({ id: 0 });
}
