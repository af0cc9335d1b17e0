import type { JobHandler } from './job-kind.ts';
import type { JobProcessReply, JobProcessRequest } from './job-process.ts';

/**
 * Runs the jobs that the process that started this one gives it (job-process.ts), until that one is gone.
 * @param open  gets the options of `runInProcess`
 * @param learn  gets what the process is informed of
 */
export function serveJobs(open: (options: unknown) => JobHandler, learn: (news: unknown) => void): void {
  // Ctrl-C reaches every process of a terminal, and an operator's stop each of a service: the one that started this one says what is to
  // stop, and its death ends this one. What is not committed by then never was.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));

  const running = new Map<string, AbortController>();
  const reply = (message: JobProcessReply) => process.send!(message, undefined, undefined, () => undefined);
  let handler: JobHandler | undefined;

  process.on('message', (request: JobProcessRequest) => {
    if ('options' in request) handler = open(request.options);
    else if ('news' in request) learn(request.news);
    else if ('abort' in request) running.get(request.abort)?.abort();
    else {
      const { lease_token: token } = request.run;
      const abort = new AbortController();
      running.set(token, abort);
      handler!
        .run(request.run, abort.signal)
        .then(
          () => reply({ ended: token, failure: undefined }),
          (cause: unknown) => {
            const error = cause instanceof Error ? cause : new Error('Not an error.');
            const code = 'code' in error ? { code: error.code } : {};
            reply({ ended: token, failure: { error, about: { name: error.name, ...code } } });
          },
        )
        .finally(() => running.delete(token));
    }
  });
}
