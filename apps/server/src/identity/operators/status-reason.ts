import { invalidInput } from '../../platform/http/api-error.ts';

export interface StatusInput<Status extends string> {
  id: string;
  status: Status;
  reason?: string | undefined;
}

/** How long emails about a status are tried. */
export const validForMs = 7 * 86_400_000;

/** @returns null for an active record. @throws 422 without a reason for those concerned */
export function readReason({ status, reason = '' }: StatusInput<string>): string | null {
  if (status === 'active') return null;
  if (reason === '') throw invalidInput('reason', 'Give a reason. Those concerned get it by email.');
  return reason;
}
