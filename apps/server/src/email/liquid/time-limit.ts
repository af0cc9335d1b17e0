import { createContext, Script } from 'node:vm';
import { threadCpuMs } from '../../platform/cpu-time.ts';
import { RenderError } from './render-error.ts';

let work: () => unknown = () => undefined;
const realm = createContext({ run: () => work() });
const script = new Script('run()');
const mostTries = 3;

/**
 * Runs synchronous `task` and stops it from outside after `limitMs`, endless loop or not. Where a busy machine left it
 * less than half of that time on a processor, it begins anew, three times in all. Costs a watchdog thread, about 50 us.
 * Not reentrant.
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
        // Made by the watchdog in the other realm at times, so no instance of this realm's Error.
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
