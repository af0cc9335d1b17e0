import type { MailTransport } from '../../email/transports/transport.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller } from '../../platform/poller.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { leaseMails, type LeasedMail } from './account-email.queries.ts';
import { sendSystemMail, type MailSender } from './send-account-email.ts';
import type { ComposeDeps, ComposeSystemMail, SystemMailKind } from './account-email.ts';

export interface SystemMailWorkerOptions extends ComposeDeps {
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  transport: Pick<MailTransport, 'send'>;
  /** How each kind of mail is written. */
  compose: Record<SystemMailKind, ComposeSystemMail>;
  sender: MailSender;
}

/** How often the worker looks for mails by itself; those that it is notified of are taken at once. */
const pollMs = 1_000;
/** Mails of one worker on their way at once: one that a slow server holds up does not hold up the others. */
const maxInProgress = 8;

/** Sends the platform's own mail as it comes. Any number of workers can run side by side. */
export function createSystemMailWorker(options: SystemMailWorkerOptions) {
  const { db, log, heartbeat } = options;
  const inProgress = new Map<string, Promise<void>>();
  const poller = createPoller({ name: 'account emails', everyMs: pollMs, log, work: leaseDue });

  /** One lease after the other, so that this worker always knows what it holds. */
  async function leaseDue(): Promise<void> {
    const workerId = heartbeat.id;
    const limit = maxInProgress - inProgress.size;
    if (workerId === undefined || limit === 0) return;
    for (const mail of await leaseMails(db, { workerId, limit, inProgress: [...inProgress.keys()] })) {
      inProgress.set(mail.id, send(mail, workerId));
    }
  }

  async function send(mail: LeasedMail, workerId: number): Promise<void> {
    try {
      await sendSystemMail(options, mail, workerId);
    } catch (error) {
      // The database is away. The mail is tried again when it is back; a repeat has the same Message-ID.
      log.warn({ err: error, mail: mail.id }, 'the outcome of a system mail cannot be stored');
    } finally {
      inProgress.delete(mail.id);
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
