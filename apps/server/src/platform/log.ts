import { pino, type Logger } from 'pino';

export type Log = Logger;

/** JSON lines; cookies, tokens and message bodies are never passed in (LOG-1). */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.cookie', 'req.headers.authorization', '*.password', '*.token'],
  });
