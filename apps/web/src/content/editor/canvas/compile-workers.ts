import { createWorker } from '#web/platform/create-worker.ts';
// oxlint-disable-next-line import/default -- the bundler makes it
import workerUrl from './compile-worker.ts?worker&url';

let waiting: Worker | undefined;

/** Starts a worker before it is needed: its program is larger than the editor itself. */
export function warmWorker(): void {
  waiting ??= createWorker(workerUrl);
}

export function takeWorker(): Worker {
  const worker = waiting ?? createWorker(workerUrl);
  waiting = undefined;
  return worker;
}
