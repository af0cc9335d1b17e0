import type { MailTransport, OutgoingMessage } from '../../email/transports/transport.ts';
import { handleJobs, RetryLater, type JobHandler, type Job } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { createRepeatedLines, type RepeatedLines } from '../../platform/repeated-lines.ts';
import {
  findWaitingEmail,
  endEmail,
  storeFailedAttempt,
  type WaitingEmail,
} from './account-email.queries.ts';
import {
  accountEmailJobs,
  type ComposeDeps,
  type ComposeAccountEmail,
  type AccountEmailKind,
  type AccountEmailContent,
} from './account-email.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { buildPlainEmail } from '../../email/mime/plain-email.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { cleanReplyText } from '../../email/smtp/smtp-reply.ts';
import { layOutEmail } from './mail-layout.ts';
import { errorName } from '../../platform/error-name.ts';

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

interface SendDeps extends ComposeDeps {
  log: Log;
  /** Groups the warnings about waiting email: an outage of the mail server is one log line. */
  writeOnce: RepeatedLines;
  transport: Pick<MailTransport, 'send'>;
  compose: Record<AccountEmailKind, ComposeAccountEmail>;
  /** MAIL_FROM: the sender address, which also receives bounces. */
  sender: string;
}

/**
 * Composes and sends an email, and stores the result. Neither the log nor the stored result contains the recipient or the
 * content.
 * @throws RetryLater; the error of the database when the result cannot be stored
 */
async function sendAccountEmail(
  deps: SendDeps,
  email: WaitingEmail,
  { attempts, retryDelayMs }: Pick<Job<unknown>, 'attempts' | 'retryDelayMs'>,
): Promise<void> {
  const { db, log } = deps;
  const about = { email: email.id, kind: email.kind };
  const end = (problem: string | null) => endEmail(db, email.id, problem);
  const postpone = async (problem: string) => {
    if (!(await storeFailedAttempt(db, email.id, { retryDelayMs, error_content: problem })))
      throw new RetryLater(problem);
    log.warn({ ...about, problem }, 'account email is given up');
  };
  if (email.is_expired) {
    log.warn(about, 'account email expired');
    return await end('There was no time left to send it.');
  }
  let message: OutgoingMessage | undefined;
  try {
    message = await writeMessage(deps, email);
  } catch (error) {
    const problem = error instanceof RenderError ? error.code : errorName(error);
    log.error({ ...about, problem }, 'account email cannot be composed');
    return await (error instanceof RenderError ? end(problem) : postpone(problem));
  }
  if (message === undefined) return await end(null);

  const { result, settle } = await deps.transport.send(message);
  try {
    if (result.outcome === 'accepted') return await end(null);
    /** Warns at the first failure, so that the operator knows before any email is given up. */
    const putOff = async (problem: string) => {
      if (attempts === 1)
        deps.writeOnce('waits', (repeated) =>
          log.warn({ ...about, problem, repeated }, 'account email waits for the mail server'),
        );
      await postpone(problem);
    };
    if (result.outcome === 'rejected') {
      const { code, permanent } = result;
      const problem = redactAddresses(`${code} ${result.enhanced ?? ''} ${result.text}`, message.envelopeTo);
      if (!permanent) return await putOff(problem);
      log.warn({ ...about, code }, 'account email was rejected');
      return await end(problem);
    }
    // Retried even if it may have arrived: a duplicate is better than none, and mail programs detect it by its
    // Message-ID.
    await putOff(redactAddresses(result.reason, message.envelopeTo));
  } finally {
    settle();
  }
}

/** Undefined if there is nothing to send. */
async function writeMessage(
  { db, secrets, publicUrl, compose, sender }: SendDeps,
  email: WaitingEmail,
): Promise<OutgoingMessage | undefined> {
  const recipient = parseAddress(email.recipient);
  if ('error' in recipient) throw new RenderError('invalid_address', 'The recipient is no address.');
  const { id, kind, language, payload } = email;
  const content = await compose[kind](
    { db, secrets, publicUrl },
    { id, kind, recipient: email.recipient, language, payload },
  );
  if (content === undefined) return undefined;
  const clean = withoutControls(content);
  const written = content.language ?? language;
  return {
    envelopeFrom: sender,
    envelopeTo: recipient.address,
    message: buildPlainEmail({
      from: { name: clean.sender ?? 'Reachout', address: sender },
      to: recipient.address,
      subject: clean.subject,
      messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
      date: new Date(),
      language: written,
      ...layOutEmail(clean, written, new URL(publicUrl).host),
    }),
    isStrict: true,
  };
}

/** Removes line breaks and changes of the writing direction: these emails contain names that users chose. */
function withoutControls(content: AccountEmailContent): AccountEmailContent {
  const clean = (text: string) =>
    text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return {
    ...content,
    ...(content.sender === undefined ? {} : { sender: clean(content.sender) }),
    subject: clean(content.subject),
    paragraphs: content.paragraphs.map(clean),
    notes: content.notes.map(clean),
  };
}

/**
 * Removes addresses, links and the bare local part, which mail servers repeat in replies; the stored result needs none
 * of these.
 */
function redactAddresses(text: string, recipient: string): string {
  const mailbox = recipient
    .slice(0, recipient.lastIndexOf('@'))
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return cleanReplyText(text)
    .replaceAll(/\bhttps?:\S+/gi, '(link)')
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '(address)')
    .replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${mailbox}(?![\\p{L}\\p{N}])`, 'giu'), '(address)');
}
