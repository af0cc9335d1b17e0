import { deleteExpired, type DeleteBatch } from '../../platform/database/delete-rows.ts';

export const expiredAuthRows: Readonly<Record<string, DeleteBatch>> = {
  'expired sessions': deleteExpired('sessions', { expires_at: '0' }),
  // A session ends after 30 days, even if it is in use.
  'old sessions': deleteExpired('sessions', { created_at: '30 days' }),
  verifications: deleteExpired('verifications', { expires_at: '0' }),
  // Also deletes names and password hashes of unconfirmed sign-ups; the response to an old link stays the same.
  'one-time tokens': deleteExpired('one_time_tokens', { expires_at: '0' }),
};
