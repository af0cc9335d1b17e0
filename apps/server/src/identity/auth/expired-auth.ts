import { deleteExpired, type DeleteBatch } from '../../platform/database/delete-rows.ts';

export const expiredAuthRows: Readonly<Record<string, DeleteBatch>> = {
  'expired sessions': deleteExpired('sessions', { expires_at: '0' }),
  // However busy, a session ends after 30 days.
  'old sessions': deleteExpired('sessions', { created_at: '30 days' }),
  verifications: deleteExpired('verifications', { expires_at: '0' }),
  // Names and passwords of sign-ups that nobody confirmed go with them; the response to an old link stays the same.
  'one-time tokens': deleteExpired('one_time_tokens', { expires_at: '0' }),
};
