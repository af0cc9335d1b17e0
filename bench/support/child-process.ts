import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Questions that a bench's own process answers, by name. */
type Answers = Record<string, (argument: never) => unknown>;

interface Question {
  id: number;
  name: string;
  argument: unknown;
}

export interface Child {
  pid: number;
  /** @throws Error when the process ends before it answers */
  ask: <T>(name: string, argument?: unknown) => Promise<T>;
  stop: () => Promise<void>;
}

/** Starts a file of this folder as a process of its own; resolves when it is ready to answer. */
export async function startChild(file: string): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let lastId = 0;
  child.on('message', ({ id, answer }: { id: number; answer: never }) => waiting.get(id)?.resolve(answer));
  child.on('exit', (code, signal) => {
    const error = new Error(`${file} ended with ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(error);
  });
  const ask = async <T>(name: string, argument?: unknown): Promise<T> => {
    const question: Question = { id: (lastId += 1), name, argument };
    const answer = Promise.withResolvers<never>();
    waiting.set(question.id, answer);
    child.send(question);
    try {
      return await answer.promise;
    } finally {
      waiting.delete(question.id);
    }
  };
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  await once(child, 'message');
  return { pid: child.pid!, ask, stop: () => stopProcess(child) };
}

/** Asks a process to end, and waits until it is gone. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** In such a process: says that it is ready, and answers from now on. */
export function answerParent(answers: Answers): void {
  process.on('message', ({ id, name, argument }: Question) => {
    void (async () => process.send?.({ id, answer: await answers[name]!(argument as never) }))();
  });
  // Whoever started us is gone.
  process.on('disconnect', () => process.exit(1));
  process.send?.({ id: 0 });
}
