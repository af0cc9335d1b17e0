import { deleteOldResponses } from '../../identity/access/idempotency.ts';
import {
  deleteOldAccountEmails,
  deleteUnsentAccountEmails,
} from '../../identity/account-email/expired-account-emails.ts';
import { expiredAuthRows } from '../../identity/auth/expired-auth.ts';
import { deleteOldContactDetails } from '../../identity/contact-details/expired-contact-details.ts';
import { deleteUnconfirmedSignUps } from '../../contacts/sign-ups/expired-sign-ups.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { deleteOldJobs } from '../../platform/jobs/jobs.queries.ts';
import { deleteExpiredCounters } from '../../platform/rate-limits/rate-limits.queries.ts';
import { deleteOldSystemMessages } from '../mailbox/system-mailbox.queries.ts';

/** Rows with limited retention: each module defines the time and deletes its own rows. */
export const expired: Readonly<Record<string, DeleteBatch>> = {
  'responses for repeats': deleteOldResponses,
  'addresses and contacts': deleteOldContactDetails,
  ...expiredAuthRows,
  'rate limits': deleteExpiredCounters,
  'account emails': deleteOldAccountEmails,
  'account emails that were never sent': deleteUnsentAccountEmails,
  'unconfirmed sign-ups': deleteUnconfirmedSignUps,
  jobs: deleteOldJobs,
  'system messages': deleteOldSystemMessages,
};
