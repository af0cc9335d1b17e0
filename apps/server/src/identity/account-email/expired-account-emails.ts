import { deleteExpired } from '../../platform/database/delete-rows.ts';

/** The index is on `created_at`, which is earlier than `ended_at`. */
export const deleteOldAccountEmails = deleteExpired('account_email_outbox', {
  created_at: '7 days',
  ended_at: '7 days',
});

/** Emails whose job failed: an operator can retry them until they expire. */
export const deleteUnsentAccountEmails = deleteExpired('account_email_outbox', {
  created_at: '7 days',
  expires_at: '7 days',
});

export { deleteConfirmationEmails } from './account-email.queries.ts';
