import { pino, type DestinationStream, type Logger } from 'pino';
import { isUnreachable } from './database/is-database-away.ts';
import { FileStoreFailure } from './files/file-store.ts';
import { createRepeatedLines } from './repeated-lines.ts';

export type Log = Logger;

/**
 * Creates a logger of JSON lines; cookies, tokens and message bodies are never passed in. Two kinds of lines can occur by
 * the thousand: a limit that was reached, named in `bound`, and an `err` of an outage. These are written once a minute per
 * message, with `repeated`, the number of lines they stand for; their `request`, if any, is that of the last one.
 * @param destination standard output by default; tests set it to read the lines
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const writeOnce = createRepeatedLines();
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // A library's error may contain a whole connection with its secrets: only the descriptive fields are kept.
      serializers: { err: describeError },
      redact: ['req.headers.cookie', 'req.headers.authorization', '*.password', '*.token'],
      hooks: {
        logMethod(args, method) {
          const [entry, message] = args as unknown[];
          const repeats = nameOfRepeated(entry);
          if (repeats === undefined) return method.apply(this, args);
          writeOnce(`${String(message)} ${repeats}`, (repeated) =>
            method.apply(this, [{ ...(entry as object), repeated }, String(message)]),
          );
        },
      },
    },
    destination,
  );
}

function nameOfRepeated(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  if ('bound' in entry) return String(entry.bound);
  return 'err' in entry && isOutage(entry.err) ? 'outage' : undefined;
}

/** Whether a server that this process depends on does not respond; a stack trace would add nothing. */
const isOutage = (error: unknown): boolean => isUnreachable(error) || error instanceof FileStoreFailure;

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  if (!isOutage(error)) return { type: name, message, stack: error.stack, ...code };
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { type: name, message, ...cause, ...code };
}
