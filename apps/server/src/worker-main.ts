import { once } from 'node:events';
import { workerAchieved, type WorkerAnswer, type WorkerQuestion } from './platform/worker-health.ts';
import { startWorker, type WorkerOptions } from './worker.ts';

// The worker process (supervise-worker.ts). Ctrl-C reaches every process of a terminal, so SIGINT is ignored: the parent
// process says when to stop, and its death counts as a stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const achievementCheckMs = 50;

const [options] = (await once(process, 'message')) as [WorkerOptions];
const worker = startWorker(options);

let stopping: Promise<void> | undefined;
const stop = () => {
  stopping ??= worker.stop().then(() => process.exit(0));
};
const answer = (message: WorkerAnswer) => process.send!(message, undefined, undefined, () => undefined);
const achieving = setInterval(() => {
  if (!worker.hasAchieved()) return;
  clearInterval(achieving);
  answer(workerAchieved);
}, achievementCheckMs);
process.on('message', (message: WorkerQuestion | 'stop') => {
  if (message === 'stop') return stop();
  if (message === 'health') return answer({ health: worker.health() });
  // On failure there is no answer, and the parent times out.
  worker.collectMetrics().then(
    (metrics) => answer({ metrics }),
    () => undefined,
  );
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
