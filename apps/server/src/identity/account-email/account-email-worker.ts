import type { MailTransport } from '../../email/transports/transport.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerIdentity } from '../../platform/worker-heartbeat.ts';
import { leaseMails, type LeasedMail } from './account-email.queries.ts';
import { sendSystemMail, type MailSender } from './send-account-email.ts';
import type { ComposeDeps, ComposeSystemMail, SystemMailKind } from './account-email.ts';

export interface SystemMailWorkerOptions extends ComposeDeps {
  log: Log;
  identity: Pick<WorkerIdentity, 'id'>;
  transport: Pick<MailTransport, 'send'>;
  /** How each kind of mail is written. */
  compose: Record<SystemMailKind, ComposeSystemMail>;
  sender: MailSender;
}

/** How often the worker looks for mails by itself; announced ones are taken at once. */
const pollMs = 1_000;
/** Mails of one worker on their way at once: one that a slow server holds up does not hold up the others. */
const maxUnderWay = 8;

/** Sends the platform's own mail as it comes. Any number of workers can run side by side. */
export function createSystemMailWorker(options: SystemMailWorkerOptions) {
  const { db, log, identity } = options;
  const underWay = new Map<string, Promise<void>>();
  let taking: Promise<void> | undefined;
  let isWanted = false;
  const stopping = new AbortController();

  function poke(): void {
    isWanted = true;
    if (stopping.signal.aborted) return;
    taking ??= take()
      .catch((error: unknown) => log.warn({ err: error }, 'system mails cannot be taken'))
      .finally(() => {
        taking = undefined;
      });
  }

  /** One lease after the other, so that this worker always knows what it holds. */
  async function take(): Promise<void> {
    while (isWanted && !stopping.signal.aborted && underWay.size < maxUnderWay) {
      isWanted = false;
      const workerId = identity.id;
      if (workerId === undefined) return;
      const limit = maxUnderWay - underWay.size;
      for (const mail of await leaseMails(db, { workerId, limit, underWay: [...underWay.keys()] })) {
        isWanted = true;
        underWay.set(mail.id, send(mail, workerId));
      }
    }
  }

  async function send(mail: LeasedMail, workerId: number): Promise<void> {
    try {
      await sendSystemMail(options, mail, workerId);
    } catch (error) {
      // The database is away. The mail is tried again when it is back; a repeat has the same Message-ID.
      log.warn({ err: error, mail: mail.id }, 'the outcome of a system mail cannot be stored');
    } finally {
      underWay.delete(mail.id);
      poke();
    }
  }

  const timer = setInterval(poke, pollMs);
  return {
    poke,
    /** Takes nothing more, and lets what is under way end. */
    stop: async (): Promise<void> => {
      stopping.abort();
      clearInterval(timer);
      await taking;
      await Promise.all(underWay.values());
    },
  };
}
