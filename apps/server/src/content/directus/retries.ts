import { setTimeout as delay } from 'node:timers/promises';
import { DirectusError } from './directus-error.ts';

export interface RetryLimits {
  attempts: number;
  /** First delay; doubles with each attempt. */
  waitMs: number;
  /** No attempt starts later than this after the first one. */
  untilMs: number;
}

const defaultLimits: RetryLimits = { attempts: 3, waitMs: 300, untilMs: 8_000 };

/**
 * Retries temporary failures: a busy or restarting server, or a broken connection.
 * @param until  absolute deadline for starting an attempt, in milliseconds since the epoch
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { attempts, waitMs, untilMs }: RetryLimits = defaultLimits,
  until = Number.POSITIVE_INFINITY,
): Promise<T> {
  const start = Date.now();
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= attempts || !isPassing(error)) throw error;
      const wait = Math.max(
        waitMs * 2 ** (tried - 1) * (0.5 + Math.random()),
        (error.retryAfter ?? 0) * 1_000,
      );
      if (Date.now() + wait > Math.min(start + untilMs, until)) throw error;
      await delay(wait);
    }
  }
}

const isPassing = (error: unknown): error is DirectusError =>
  error instanceof DirectusError &&
  (error.failure === 'busy' ||
    error.failure === 'refused' ||
    error.failure === 'connection' ||
    error.failure === 'timeout' ||
    (error.failure === 'status' && error.status !== 500));
