import { createContext, Script } from 'node:vm';
import { threadCpuMs } from '../../platform/cpu-time.ts';
import { RenderError } from './render-error.ts';

let work: () => unknown = () => undefined;
const realm = createContext({ run: () => work() });
const script = new Script('run()');
const mostTries = 3;

/**
 * Runs a synchronous `task` and aborts it after `limitMs`, even in an endless loop. As long as a busy machine has given its
 * runs less than half of that as CPU time, it is run again, at most three times in total. Costs a watchdog thread, about
 * 50 us. Not reentrant.
 * @throws RenderError `too_slow`
 */
export function withTimeLimit<Result>(limitMs: number, task: () => Result): Result {
  let result: Result | undefined;
  work = () => {
    result = task();
  };
  const startedAt = threadCpuMs();
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        script.runInContext(realm, { timeout: limitMs });
        return result as Result;
      } catch (error) {
        // The watchdog sometimes creates it in the other realm, so that it is not an instance of this realm's Error.
        if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        const usedMs = threadCpuMs() - startedAt;
        if (usedMs < limitMs / 2 && tries < mostTries) continue;
        throw new RenderError('too_slow', `The template took longer than ${limitMs} ms.`, {
          cause: error,
          sendError: { code: 'template_too_slow', values: { milliseconds: limitMs } },
        });
      }
    }
  } finally {
    work = () => undefined;
  }
}
