import { parseAddress } from '../../email/addresses/address.ts';
import type { MailTransport, OutgoingMessage } from '../../email/transports/transport.ts';
import { buildPlainEmail } from '../../email/mime/plain-email.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { cleanReplyText } from '../../email/smtp/smtp-reply.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { Log } from '../../platform/log.ts';
import { layOutMail } from './mail-layout.ts';
import { writeReturnPath } from './return-path.ts';
import { endMail, postponeMail, type LeasedMail } from './account-email.queries.ts';
import type { ComposeDeps, ComposeSystemMail, SystemMailContent, SystemMailKind } from './account-email.ts';

export interface MailSender {
  /** MAIL_FROM: who writes, and who gets returned mail. */
  address: string;
  /** Where the built-in mailbox takes the mail: the host in the return paths that it knows us by. */
  mailbox?: { signer: TokenSigner; domain: string } | undefined;
}

interface SendDeps extends ComposeDeps {
  log: Log;
  transport: Pick<MailTransport, 'send'>;
  compose: Record<SystemMailKind, ComposeSystemMail>;
  sender: MailSender;
}

const firstDelayMs = 2_000;
const longestDelayMs = 300_000;

/**
 * Writes a leased mail, sends it, and stores what became of it. Neither the log nor the stored result says to whom it
 * went, or what was in it.
 * @throws what the database throws when the outcome cannot be stored
 */
export async function sendSystemMail(deps: SendDeps, mail: LeasedMail, workerId: number): Promise<void> {
  const { db, log } = deps;
  const about = { mail: mail.id, kind: mail.kind };
  const end = (problem: string | null) => endMail(db, mail, workerId, problem);
  const postpone = async (problem: string) => {
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(mail.attempts - 1, 20));
    if (await postponeMail(db, mail, workerId, { delayMs, error_content: problem }))
      log.warn({ ...about, problem }, 'system mail is given up');
  };
  if (mail.is_expired) {
    log.warn(about, 'system mail came too late');
    return await end('There was no time left to send it.');
  }
  let message: OutgoingMessage | undefined;
  try {
    message = await writeMessage(deps, mail);
  } catch (error) {
    const problem = nameFault(error);
    log.error({ ...about, problem }, 'system mail cannot be written');
    return await (error instanceof RenderError ? end(problem) : postpone(problem));
  }
  if (message === undefined) return await end(null);

  const result = await deps.transport.send(message);
  if (result.outcome === 'accepted') return await end(null);
  if (result.outcome === 'rejected') {
    const { code, permanent } = result;
    const problem = hidePeople(`${code} ${result.enhanced ?? ''} ${result.text}`);
    if (!permanent) return await postpone(problem);
    log.warn({ ...about, code }, 'system mail was refused');
    return await end(problem);
  }
  // Also when it may have arrived: twice is better than never, and mail programs know it by its Message-ID.
  await postpone(hidePeople(result.reason));
}

/** Undefined when there is nothing to tell. */
async function writeMessage(
  { db, secrets, publicUrl, compose, sender }: SendDeps,
  mail: LeasedMail,
): Promise<OutgoingMessage | undefined> {
  const recipient = parseAddress(mail.recipient);
  if ('error' in recipient) throw new RenderError('invalid_address', 'The recipient is no address.');
  const { id, kind, language, payload } = mail;
  const content = await compose[kind](
    { db, secrets, publicUrl },
    { id, kind, recipient: mail.recipient, language, payload },
  );
  if (content === undefined) return undefined;
  const clean = withoutControls(content);
  const written = content.language ?? language;
  const { mailbox, address } = sender;
  return {
    envelopeFrom: mailbox === undefined ? address : writeReturnPath(mailbox.signer, id, mailbox.domain),
    envelopeTo: recipient.address,
    message: buildPlainEmail({
      from: { name: 'Reachout', address },
      to: recipient.address,
      subject: clean.subject,
      messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      date: new Date(),
      language: written,
      ...layOutMail(clean, written),
    }),
    isStrict: true,
  };
}

/** Names that people chose stand in these mails: a line break or a turn of the writing direction is none of a name. */
function withoutControls(content: SystemMailContent): SystemMailContent {
  const clean = (text: string) =>
    text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return {
    ...content,
    subject: clean(content.subject),
    paragraphs: content.paragraphs.map(clean),
    notes: content.notes.map(clean),
  };
}

/** Servers repeat addresses and give links; whoever reads the outcome needs neither. */
const hidePeople = (text: string): string =>
  cleanReplyText(text)
    .replaceAll(/\bhttps?:\S+/gi, '(link)')
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '(address)');

/** What went wrong by its name alone: messages of errors may quote what was stored. */
function nameFault(error: unknown): string {
  if (error instanceof RenderError) return error.code;
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}`;
}
