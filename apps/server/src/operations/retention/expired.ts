import { deleteExpired, type DeleteBatch } from '../../platform/database/delete-rows.ts';
import type { DB } from '../../platform/database/types.gen.ts';
import { deleteOldJobs } from '../../platform/jobs/jobs.queries.ts';
import { deleteExpiredCounters } from '../../platform/rate-limits/rate-limits.queries.ts';
import { deleteOldSystemMessages } from '../mailbox/mailbox.queries.ts';
import { deleteExpiredOfOthers } from './erase.queries.ts';

type Expired = readonly [table: keyof DB, deleteSome: DeleteBatch];

/** Minimum age by column: all of them have to match. */
const byAge: readonly (readonly [keyof DB, Readonly<Record<string, string>>])[] = [
  ['sessions', { expires_at: '0' }],
  // A session ends after 30 days, even if it is in use.
  ['sessions', { created_at: '30 days' }],
  ['verifications', { expires_at: '0' }],
  // Also deletes names and password hashes of unconfirmed sign-ups; the response to an old link stays the same.
  ['one_time_tokens', { expires_at: '0' }],
  // The index is on `created_at`, which is earlier than `ended_at`.
  ['account_email_outbox', { created_at: '7 days', ended_at: '7 days' }],
  // Emails whose job failed: an operator can retry them until they expire.
  ['account_email_outbox', { created_at: '7 days', expires_at: '7 days' }],
];

/** Rows of organizations and users: a function of the database knows their age (db/functions/retention.sql). */
const ofOthers = [
  'idempotency_keys',
  'sign_ups',
  'choices',
  'user_addresses',
  'organization_addresses',
  'organization_contacts',
  'client_addresses',
  'client_contacts',
] as const;

/** Rows with limited retention. Of the last ones, more than their age decides. */
export const expired: readonly Expired[] = [
  ...byAge.map(([table, ages]): Expired => [table, deleteExpired(table, ages)]),
  ...ofOthers.map((table): Expired => [table, deleteExpiredOfOthers(table)]),
  ['rate_limits', deleteExpiredCounters],
  ['jobs', deleteOldJobs],
  ['account_mailbox_messages', deleteOldSystemMessages],
];
