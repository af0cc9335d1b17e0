import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { LimitingPolicy } from '../email/transports/sender-policy.ts';
import type { Transaction } from '../platform/database/database.ts';
import { apiError } from '../platform/http/api-error.ts';

/** Who sends: the organization, and the user who confirmed the send. */
export interface Sender {
  organizationId: string;
  userId: string | null;
}

/** Bounds what organizations send. `allowances.ts` has all of them. */
export interface Allowance {
  /**
   * Takes what the new recipients of a send need. Called after these were stored, so that of sends that are added
   * concurrently, the last one sees all; the caller rolls back if something is short. Lock order: after everything else that
   * the transaction locks.
   * @returns what is short now; undefined if the policy sets no bound, or nothing is short
   */
  reserve: (trx: Transaction, sender: Sender, policy: LimitingPolicy) => Promise<Shortage | undefined>;
}

/** What a send would exceed. */
export interface Shortage {
  limit: number;
  /** With the recipients of this send. */
  used: number;
  /** The check of the review that shows it. */
  check: 'daily_limit';
  /** The error of the API for what is accepted without a review. */
  code: 'daily_limit_reached';
  /** For users, as an error of the send. */
  error: SendError;
}

/** @param added  recipients of this request, which were not used before @returns the error of the API */
export const refusal = ({ code, limit, used }: Shortage, added: number) =>
  apiError(code, { limit, used: used - added });
