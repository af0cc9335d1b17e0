import { once } from 'node:events';
import { startWorker, type WorkerOptions } from './worker.ts';

// The process of the worker (supervise-worker.ts). Ctrl-C reaches every process of a terminal: the one that started this
// one says when to stop, and its death counts as that.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const [options] = (await once(process, 'message')) as [WorkerOptions];
const worker = startWorker(options);

let stopping: Promise<void> | undefined;
const stop = () => {
  stopping ??= worker.stop().then(() => process.exit(0));
};
process.on('message', (message: 'health' | 'stop') => {
  if (message === 'stop') return stop();
  process.send!(worker.health(), undefined, undefined, () => undefined);
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
