import type { MailTransport } from '../../email/transports/transport.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller } from '../../platform/poller.ts';
import { createRepeatedLines } from '../../platform/repeated-lines.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { leaseEmails, type LeasedEmail } from './account-email.queries.ts';
import { sendAccountEmail, type EmailSender } from './send-account-email.ts';
import type { ComposeDeps, ComposeAccountEmail, AccountEmailKind } from './account-email.ts';

export interface AccountEmailWorkerOptions extends ComposeDeps {
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  transport: Pick<MailTransport, 'send'>;
  /** How each kind of mail is written. */
  compose: Record<AccountEmailKind, ComposeAccountEmail>;
  sender: EmailSender;
}

/** How often the worker looks for mails by itself; those that it is notified of are taken at once. */
const pollMs = 1_000;
/** Mails of one worker on their way at once: one that a slow server holds up does not hold up the others. */
const maxInProgress = 8;

/** Sends the platform's own mail as it comes. Any number of workers can run side by side. */
export function createAccountEmailWorker(options: AccountEmailWorkerOptions) {
  const { db, log, heartbeat } = options;
  const deps = { ...options, writeOnce: createRepeatedLines() };
  const inProgress = new Map<string, Promise<void>>();
  const poller = createPoller({ name: 'account emails', everyMs: pollMs, log, work: leaseDue });

  /** One lease after the other, so that this worker always knows what it holds. */
  async function leaseDue(): Promise<void> {
    const workerId = heartbeat.id;
    const limit = maxInProgress - inProgress.size;
    if (workerId === undefined || limit === 0) return;
    for (const email of await leaseEmails(db, { workerId, limit, inProgress: [...inProgress.keys()] })) {
      inProgress.set(email.id, send(email, workerId));
    }
  }

  async function send(email: LeasedEmail, workerId: number): Promise<void> {
    try {
      await sendAccountEmail(deps, email, workerId);
    } catch (error) {
      // The database is away. The mail is tried again when it is back; a repeat has the same Message-ID.
      log.warn({ err: error, email: email.id }, 'the result of an account email cannot be stored');
    } finally {
      inProgress.delete(email.id);
      poller.wake();
    }
  }

  return {
    wake: poller.wake,
    /** Takes nothing more, and lets what is under way end. */
    stop: async (): Promise<void> => {
      await poller.stop();
      await Promise.all(inProgress.values());
    },
  };
}
