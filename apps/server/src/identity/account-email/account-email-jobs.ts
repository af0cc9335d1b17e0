import type { MailTransport } from '../../email/transports/transport.ts';
import { handleJobs, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { createRepeatedLines } from '../../platform/repeated-lines.ts';
import { findWaitingEmail } from './account-email.queries.ts';
import { sendAccountEmail } from './send-account-email.ts';
import {
  accountEmailJobs,
  type ComposeDeps,
  type ComposeAccountEmail,
  type AccountEmailKind,
} from './account-email.ts';

export interface AccountEmailOptions extends ComposeDeps {
  log: Log;
  transport: Pick<MailTransport, 'send'>;
  compose: Record<AccountEmailKind, ComposeAccountEmail>;
  /** MAIL_FROM: the sender address, which also receives bounces. */
  sender: string;
}

/** Sends account emails concurrently: an email that a slow server delays does not delay the others. */
export function handleAccountEmails(options: AccountEmailOptions): JobHandler {
  const { db } = options;
  const deps = { ...options, writeOnce: createRepeatedLines() };
  return handleJobs(accountEmailJobs, {
    run: async (job) => {
      const email = await findWaitingEmail(db, job.payload.email_id);
      if (email !== undefined) await sendAccountEmail(deps, email, job);
    },
    // Each email expires after a week at the latest: this is more than the attempts in that time.
    maxAttempts: 2_100,
    delaysMs: [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000],
    concurrency: 8,
    perOrganization: 64,
  });
}
