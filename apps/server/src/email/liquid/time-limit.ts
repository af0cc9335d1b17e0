import { createContext, Script } from 'node:vm';
import { RenderError } from './render-error.ts';

let work: () => unknown = () => undefined;
const realm = createContext({ run: () => work() });
const script = new Script('run()');

/**
 * Runs synchronous `task` and stops it from outside after `limitMs`, endless loop or not. Costs a
 * watchdog thread, about 50 us. Not reentrant.
 * @throws RenderError `too_slow`
 */
export function withTimeLimit<Result>(limitMs: number, task: () => Result): Result {
  let result: Result | undefined;
  work = () => {
    result = task();
  };
  try {
    script.runInContext(realm, { timeout: limitMs });
  } catch (error) {
    // Made by the watchdog in the other realm at times, so no instance of this realm's Error.
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new RenderError('too_slow', `The template took longer than ${limitMs} ms.`, {
        cause: error,
        sendError: { code: 'template_too_slow', values: { milliseconds: limitMs } },
      });
    }
    throw error;
  } finally {
    work = () => undefined;
  }
  return result as Result;
}
