import { setTimeout as delay } from 'node:timers/promises';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { readReturnedMail } from '../../email/inbound/read-returned-mail.ts';
import { complaintsMailbox, type NamedTokens, type ReturnedMail } from '../../email/inbound/returned-mail.ts';
import type { DeliveryRef, TokenSigner } from '../../email/links/tokens.ts';
import { classifyRejection } from '../../email/rejections/classify-rejection.ts';
import { createSendLookup } from '../../identity/access/send-lookup.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { inOrganization, transactionAs, type Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { byKey, counter, type Metric } from '../../platform/metrics/metric.ts';
import { findReported, type LateBounce } from '../../queue/late-results.queries.ts';
import { applyBounces, applyComplaints } from './apply-reports.ts';
import { checkComplaints } from './check-complaints.ts';
import { deleteReturnedMail, leaseReturnedMail, type LeasedMail } from './returned-mail.queries.ts';

/** Messages that are read together. */
const batchSize = 100;
const pauseMs = 1_000;
/** A report that cannot be applied yet is read again after 10 s, 20 s, and so on: for the last time after half a day. */
const maxAttempts = 12;

export interface ReaderDeps {
  db: Database;
  signer: TokenSigner;
  log: Log;
  /** Unsubscribes the recipient of a message from its brand, as one-click does. */
  unsubscribe: (token: string) => Promise<void>;
}

const outcomes = ['bounce', 'complaint', 'unsubscribe', 'note', 'unknown', 'given_up'] as const;
type Outcome = (typeof outcomes)[number];

/** Returned messages that were read, in this process. */
const read: Record<Outcome, number> = {
  bounce: 0,
  complaint: 0,
  unsubscribe: 0,
  note: 0,
  unknown: 0,
  given_up: 0,
};

/** docs/metrics.md */
export const collectReturnedMail = (): Metric[] => [
  counter(
    'reachout_returned_mail_read_total',
    'Returned messages that were read, by what they were.',
    byKey('outcome', read),
  ),
];

export interface ReturnedMailReader {
  /** Resolves when the current batch is over. What waits then is read by another process, or after the next start. */
  close(): Promise<void>;
}

/**
 * Reads what the listener has stored, and applies it. A row is deleted once it is applied, in a transaction of its own: a process that
 * dies in between leaves it to be read again, which changes nothing.
 */
export function startReturnedMailReader(deps: ReaderDeps): ReturnedMailReader {
  const stop = new AbortController();
  const { signal } = stop;
  const sends = createSendLookup(deps.db);

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const count = await readBatch(deps, (sendNumber) => sends.find(sendNumber), signal).catch(
        (error: unknown) => {
          deps.log.warn({ err: error }, 'returned mail not read');
          return 0;
        },
      );
      if (count < batchSize) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    close: () => {
      stop.abort();
      return running;
    },
  };
}

type Failure = Extract<ReturnedMail, { kind: 'failure' }>;

/** What a message asks for, of one that was sent. */
interface Report {
  mail: LeasedMail;
  ref: DeliveryRef;
  send: SendRef;
  /** False if it names its message by a link alone, which everybody knows to whom the message was passed on. */
  isProven: boolean;
  /** Undefined for a complaint. */
  failure: Failure | undefined;
}

/** @returns the number of messages that were taken */
async function readBatch(
  deps: ReaderDeps,
  findSend: (sendNumber: number) => Promise<SendRef | undefined>,
  signal: AbortSignal,
): Promise<number> {
  const { db, signer, log } = deps;
  const leased = await transactionAs(db, {}, (trx) => leaseReturnedMail(trx, batchSize));
  const reports: Report[] = [];
  const finished: string[] = [];
  const finish = (id: string, outcome: Outcome) => {
    read[outcome] += 1;
    finished.push(id);
  };
  const readOne = async (mail: LeasedMail): Promise<void> => {
    const { id, mailbox, raw, received_at } = mail;
    if (mail.attempts > maxAttempts) {
      log.warn({ mailbox, received_at, attempts: mail.attempts }, 'returned mail given up');
      return finish(id, 'given_up');
    }
    const said = await readReturnedMail({ mailbox, raw, receivedAt: new Date(received_at) });
    if (said.kind === 'note') return finish(id, 'note');
    if (said.kind === 'unsubscribe') {
      await deps.unsubscribe(mailbox.slice('u+'.length));
      return finish(id, 'unsubscribe');
    }
    const named = findNamed(signer, mailbox, said);
    const send = named && (await findSend(named.ref.sendNumber));
    if (named === undefined || send === undefined) return finish(id, 'unknown');
    reports.push({ mail, ...named, send, failure: said.kind === 'failure' ? said : undefined });
  };
  for (const mail of leased) {
    if (signal.aborted) break;
    // One that fails is read again later, and holds up no others.
    await readOne(mail).catch((error: unknown) =>
      log.warn({ err: error, mailbox: mail.mailbox }, 'returned message not read'),
    );
  }
  for (const own of Map.groupBy(reports, ({ send }) => send.sendId).values()) {
    try {
      const undecided = await apply(deps, own);
      for (const { mail, ref, failure } of own)
        if (!undecided.has(ref.seq)) finish(mail.id, failure === undefined ? 'complaint' : 'bounce');
    } catch (error) {
      log.warn(
        { err: error, send: own[0]!.send.sendId, reports: own.length },
        'reports of a send not applied',
      );
    }
  }
  await transactionAs(db, {}, (trx) => deleteReturnedMail(trx, finished));
  return leased.length;
}

/** Applies the reports about one send. @returns the messages that have no result yet */
async function apply({ db }: ReaderDeps, reports: readonly Report[]): Promise<ReadonlySet<number>> {
  const { send } = reports[0]!;
  const { organizationId } = send;
  const complaints = new Map<number, { isProven: boolean }>();
  for (const { failure, ref, isProven } of reports)
    if (failure === undefined && complaints.get(ref.seq)?.isProven !== true)
      complaints.set(ref.seq, { isProven });
  // The first of several about the same message counts.
  const failed = new Map(
    reports
      .toReversed()
      .flatMap((report) => (report.failure === undefined ? [] : [[report.ref.seq, report] as const])),
  );
  const undecided: number[] = [];
  // Two transactions, because each locks its addresses in their order.
  if (complaints.size > 0) {
    const waiting = await inOrganization(db, organizationId, (trx) => applyComplaints(trx, send, complaints));
    undecided.push(...waiting);
    // Also for what was stored before: its process may have ended before it looked at the limits.
    await checkComplaints(db, send);
  }
  if (failed.size > 0) {
    const waiting = await inOrganization(db, organizationId, async (trx) => {
      const recipients = await findReported(trx, send, [...failed.keys()]);
      const bounces = recipients.map(({ seq, address_key }) => toLateBounce(failed.get(seq)!, address_key));
      return await applyBounces(trx, send, bounces);
    });
    undecided.push(...waiting);
  }
  return new Set(undecided);
}

/** @returns the message that a report is about: by the address it was sent to, or by what it names */
function findNamed(
  signer: TokenSigner,
  mailbox: string,
  said: Extract<ReturnedMail, { named: NamedTokens }>,
): Pick<Report, 'ref' | 'isProven'> | undefined {
  const tokens =
    mailbox === complaintsMailbox
      ? said.named
      : { return_path: [mailbox.slice('b.'.length)], unsubscribe: [] };
  for (const purpose of ['return_path', 'unsubscribe'] as const)
    for (const token of tokens[purpose]) {
      const ref = signer.verify(purpose, token);
      if (ref !== undefined) return { ref, isProven: purpose === 'return_path' };
    }
  return undefined;
}

function toLateBounce({ mail, ref: { seq }, failure }: Report, recipient: string): LateBounce {
  const { code, enhanced, text, stage, failed } = failure!;
  const envelope = { sender: mail.mailbox, recipient };
  const { class: of } = classifyRejection({ code, enhanced, text, stage, envelope });
  // What a server has tried for days and given up was temporary each time.
  const given = of === 'transient' ? 'expired' : of;
  // Of an alias, one member may have failed, and of an address that passes its mail on, what it leads to.
  const isOther = failed !== undefined && failed !== recipient;
  const reply = cutText(`${code === 0 ? '' : code} ${text}`.replaceAll(/\s+/g, ' ').trim(), 500);
  return {
    seq,
    class: given === 'address_hard' && isOther ? 'address_likely' : given,
    reply: reply.toWellFormed().replaceAll('\0', ''),
  };
}
