import { ORPCError } from '@orpc/contract';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { cleanMessage } from './directus-error.ts';

/** Why a job could not use a content backend. */
export interface DescribedFailure {
  failure: string;
  /** Text to show to users. */
  message: string;
  /** Whether a retry would fail in the same way. */
  isLasting: boolean;
}

const lasting = ['rejected', 'not_allowed', 'changed', 'address', 'private'];

/** @returns undefined for an error that the backend did not cause */
export function describeFailure(error: unknown): DescribedFailure | undefined {
  if (error instanceof LimitExceeded) return { failure: 'busy', message: error.message, isLasting: false };
  if (!(error instanceof ORPCError)) return undefined;
  const { failure, message, reason } = (error.data ?? {}) as Partial<Record<string, string>>;
  if (failure !== undefined)
    return {
      failure,
      message: cleanMessage(message, []),
      isLasting: lasting.includes(failure),
    };
  if (error.code === 'not_found')
    return { failure: 'not_allowed', message: 'There is no such collection.', isLasting: true };
  if (reason === undefined) return undefined;
  return { failure: 'rejected', message: cleanMessage(reason, []), isLasting: true };
}
