import type { JobHandler } from './job-kind.ts';
import type { JobProcessReply, JobProcessRequest } from './job-process.ts';

/**
 * Runs the jobs that the parent process hands over (job-process.ts), until the parent disconnects.
 * @param open  receives the options of `runInProcess`
 * @param learn  receives what the parent passes to `inform`
 */
export function serveJobs(open: (options: unknown) => JobHandler, learn: (news: unknown) => void): void {
  // Ctrl-C reaches every process of a terminal, and a service stop every process of the service. The signals are ignored:
  // the parent decides what stops, and its exit ends this process. Uncommitted work is then rolled back.
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
