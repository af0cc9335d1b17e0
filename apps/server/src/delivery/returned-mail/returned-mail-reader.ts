import { setTimeout as delay } from 'node:timers/promises';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import { readReturnedMail } from '../../email/inbound/read-returned-mail.ts';
import type { ProviderEvent } from '../../email/inbound/provider-event.ts';
import { readProviderEvents } from '../../email/inbound/provider-events.ts';
import {
  complaintsMailbox,
  providerMailbox,
  type NamedTokens,
  type ReturnedMail,
} from '../../email/inbound/returned-mail.ts';
import type { DeliveryRef, TokenSigner } from '../../email/links/tokens.ts';
import { classifyRejection } from '../../email/rejections/classify-rejection.ts';
import { findOwn, type OwnTransportDeps } from '../../outreach/transports/own-transports.ts';
import { createSendLookup } from '../../identity/access/send-lookup.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { inOrganization, transactionAs, type Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { byKey, counter, type Metric } from '../../platform/metrics/metric.ts';
import { findReported, type LateBounce } from '../../queue/late-results.queries.ts';
import { applyAccepted, applyBounces, applyComplaints } from './apply-reports.ts';
import { checkComplaints } from './check-complaints.ts';
import type { ProviderRequest } from './provider-events.routes.ts';
import {
  deleteReturnedMail,
  leaseReturnedMail,
  mailSources,
  type LeasedMail,
  type MailSource,
} from './returned-mail.queries.ts';

/** Messages that are read together. */
const batchSize = 100;
const pauseMs = 1_000;
/** Of one batch; what is left is read later. Shorter than the time until a row is due again. */
const readMs = 10_000;
/** A report that cannot be applied yet is read again after 20 s, 40 s, and so on: for the last time after half a day. */
const maxAttempts = 12;

export interface ReaderDeps extends Pick<OwnTransportDeps, 'secrets' | 'outbound' | 'endpoints'> {
  db: Database;
  signer: TokenSigner;
  log: Log;
  /** Unsubscribes the recipient of a message from its brand, as one-click does. */
  unsubscribe: (token: string) => Promise<void>;
}

const outcomes = ['bounce', 'complaint', 'accepted', 'unsubscribe', 'note', 'unknown', 'given_up'] as const;
type Outcome = (typeof outcomes)[number];

/** Returned messages that were read, in this process. */
const read: Record<Outcome, number> = {
  bounce: 0,
  complaint: 0,
  accepted: 0,
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

  // A provider that has to be asked, and is slow, holds up no mail.
  async function run(source: MailSource): Promise<void> {
    while (!signal.aborted) {
      const count = await readBatch(deps, source, (sendNumber) => sends.find(sendNumber), signal).catch(
        (error: unknown) => {
          deps.log.warn({ err: error }, 'returned mail not read');
          return 0;
        },
      );
      if (count < batchSize) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = mailSources.map(run);
  return {
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

type Failure = Extract<ReturnedMail, { kind: 'failure' }> & {
  /** As a provider says it; else it is read from the words. */
  class?: BounceClass;
};

/** What a message asks for, of one that was sent. */
interface Report {
  mail: LeasedMail;
  ref: DeliveryRef;
  send: SendRef;
  kind: 'bounce' | 'complaint' | 'accepted';
  /** False if it names its message by a link alone, which everybody knows to whom the message was passed on. */
  isProven: boolean;
  /** Of a bounce. */
  failure: Failure | undefined;
}

/** @returns the number of messages that were taken */
async function readBatch(
  deps: ReaderDeps,
  source: MailSource,
  findSend: (sendNumber: number) => Promise<SendRef | undefined>,
  signal: AbortSignal,
): Promise<number> {
  const { db, signer, log } = deps;
  const leased = await transactionAs(db, {}, (trx) => leaseReturnedMail(trx, source, batchSize));
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
    if (mailbox.startsWith(providerMailbox)) {
      const found = await readProviderMail(deps, findSend, mail);
      if (typeof found === 'string') finish(id, found);
      else reports.push(...found);
      return;
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
    const failure = said.kind === 'failure' ? said : undefined;
    reports.push({ mail, ...named, send, kind: failure === undefined ? 'complaint' : 'bounce', failure });
  };
  const end = performance.now() + readMs;
  const readAll = async (mails: readonly LeasedMail[]) => {
    for (const mail of mails) {
      if (signal.aborted || performance.now() > end) break;
      // One that fails is read again later, and holds up no others.
      const isRead = await readOne(mail).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error, mailbox: mail.mailbox }, 'returned message not read');
          return false;
        },
      );
      // The next ones of this provider would wait for it as well.
      if (!isRead && source === 'events') break;
    }
  };
  const groups = Map.groupBy(leased, ({ mailbox }) => (source === 'mail' ? '' : mailbox));
  await Promise.all([...groups.values()].map(readAll));
  const waiting = new Set<string>();
  for (const own of Map.groupBy(reports, ({ send }) => send.sendId).values()) {
    try {
      const undecided = await apply(deps, own);
      for (const { mail, ref } of own) if (undecided.has(ref.seq)) waiting.add(mail.id);
    } catch (error) {
      for (const { mail } of own) waiting.add(mail.id);
      log.warn(
        { err: error, send: own[0]!.send.sendId, reports: own.length },
        'reports of a send not applied',
      );
    }
  }
  // A provider says several things at once.
  for (const [id, own] of Map.groupBy(reports, ({ mail }) => mail.id))
    if (!waiting.has(id)) finish(id, own[0]!.kind);
  await transactionAs(db, {}, (trx) => deleteReturnedMail(trx, finished));
  return leased.length;
}

/** Applies the reports about one send. @returns the messages that have no result yet */
async function apply({ db }: ReaderDeps, reports: readonly Report[]): Promise<ReadonlySet<number>> {
  const { send } = reports[0]!;
  const { organizationId } = send;
  const complaints = new Map<number, { isProven: boolean }>();
  for (const { kind, ref, isProven } of reports)
    if (kind === 'complaint' && complaints.get(ref.seq)?.isProven !== true)
      complaints.set(ref.seq, { isProven });
  // The first of several about the same message counts.
  const failed = new Map(
    reports
      .toReversed()
      .flatMap((report) => (report.failure === undefined ? [] : [[report.ref.seq, report] as const])),
  );
  const undecided: number[] = [];
  const accepted = reports.flatMap(({ kind, ref }) => (kind === 'accepted' ? [ref.seq] : []));
  if (accepted.length > 0)
    undecided.push(
      ...(await inOrganization(db, organizationId, (trx) => applyAccepted(trx, send, accepted))),
    );
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

/**
 * Reads what the provider of a transport reports, about messages of the organization that the transport is of.
 * @returns the outcome if there is nothing to apply
 */
async function readProviderMail(
  { db, secrets, outbound, endpoints, signer, unsubscribe, log }: ReaderDeps,
  findSend: (sendNumber: number) => Promise<SendRef | undefined>,
  mail: LeasedMail,
): Promise<readonly Report[] | Outcome> {
  const { organizationId, ...request } = JSON.parse(mail.raw.toString('utf8')) as ProviderRequest;
  const id = mail.mailbox.slice(providerMailbox.length);
  const own = await inOrganization(db, organizationId, (trx) => findOwn(trx, secrets, organizationId, id));
  if (own === undefined) return 'unknown';
  const receivedAt = new Date(mail.received_at);
  const said = await readProviderEvents({ ...request, receivedAt }, own, { outbound, endpoints });
  if ('rejected' in said) {
    log.warn({ transport: id, reason: said.rejected }, 'report of a provider not taken');
    return 'unknown';
  }
  const reports: Report[] = [];
  let isUnknown = false;
  for (const event of said.events) {
    if (event.kind === 'note') continue;
    const ref = signer.verify('return_path', event.token);
    const send = ref && (await findSend(ref.sendNumber));
    if (ref === undefined || send?.organizationId !== organizationId) isUnknown = true;
    else if (event.kind === 'unsubscribe') await unsubscribe(signer.sign(ref).unsubscribe);
    else reports.push({ mail, ref, send, isProven: true, ...toReport(event) });
  }
  return reports.length > 0 ? reports : isUnknown ? 'unknown' : 'note';
}

const toReport = (
  event: Extract<ProviderEvent, { kind: 'accepted' | 'complaint' | 'failure' }>,
): Pick<Report, 'kind' | 'failure'> =>
  event.kind === 'failure'
    ? {
        kind: 'bounce',
        failure: {
          ...event,
          stage: 'message',
          failed: undefined,
          named: { return_path: [], unsubscribe: [] },
        },
      }
    : { kind: event.kind, failure: undefined };

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
  const of = failure!.class ?? classifyRejection({ code, enhanced, text, stage, envelope }).class;
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
