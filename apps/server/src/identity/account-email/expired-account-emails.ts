import { deleteExpired } from '../../platform/database/delete-rows.ts';

/** The index is on `created_at`, which is earlier than `ended_at`. */
export const deleteOldAccountEmails = deleteExpired('account_email_outbox', {
  created_at: '7 days',
  ended_at: '7 days',
});

/** Those whose job failed: until they expire, an operator can let it be tried again. */
export const deleteUnsentAccountEmails = deleteExpired('account_email_outbox', {
  created_at: '7 days',
  expires_at: '7 days',
});
