import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/**
 * JSON lines; cookies, tokens and message bodies are never passed in.
 * @param destination the standard output, unless a test looks at the lines
 */
export const createLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // An error of a library may carry a whole connection, its secrets included: only what says what happened is kept.
      serializers: { err: describeError },
      redact: ['req.headers.cookie', 'req.headers.authorization', '*.password', '*.token'],
    },
    destination,
  );

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type: name, message, stack, ...(typeof code === 'string' ? { code } : {}) };
}
