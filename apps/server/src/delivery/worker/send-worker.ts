// Long, because all of it moves the same leases: what may start next depends on what is under way, stored and due.
import { sendCan } from '@reachout/contract/states/send.ts';
import type { MailTransport, TransportResult } from '../../email/transports/transport.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerIdentity } from '../../platform/worker-heartbeat.ts';
import { isAboutSender, toOutcome, type Outcome, type Recipient } from '../queue/delivery.ts';
import {
  findOpenSends,
  leaseChunk,
  leaseRetries,
  releaseRetries,
  renewLeases,
  storeOutcomes,
  type OpenSend,
  type SendRef,
  type Stored,
} from '../queue/delivery.queries.ts';
import { buildMessage, DeliveryRun, type ActiveSend } from './lease.ts';
import { toBounce } from './bounce.ts';
import { completeSend, settleCancelled } from '../sends/end-send.ts';
import { loadActiveSend, prepareSend } from './prepare-send.ts';
import { roomIn, shareOf } from './in-flight-limit.ts';
import { pauseOnErrors } from '../sends/change-send.ts';
import { recordSendError } from '../queue/send.queries.ts';

export interface SendWorkerOptions {
  db: Database;
  /** For what runs many times a second: taking and storing deliveries. */
  pipelined: PipelinedDatabase;
  log: Log;
  identity: Pick<WorkerIdentity, 'id'>;
  transport: MailTransport;
  load: Parameters<typeof loadActiveSend>[1];
  /** Most messages under way without a stored outcome. */
  window: number;
}

/** How often the worker looks for work by itself; announced work is taken at once. */
const pollMs = 1_000;
/** Leases held at once. Sends with nothing under way find a place among them beside those that are going on. */
const maxRuns = 8;
/** As long as so few are held, a send may take its next chunk before the last one is over. */
const maxRunsToLeaseAhead = 4;
/** A slow mail server must not keep finished messages unaccounted: stored at the latest after this. */
const longestUnstoredMs = 100;
/** Leases hold for 120 s (delivery.queries.ts), and the reply to one message may take 300 s. */
const renewMs = 30_000;
const databaseRetryMs = 500;
/** So many in a row pause the send, and a person decides. */
const refusalsToPause = 20;
const renderFailuresToPause = 50;
/** Milliseconds; messages are built in a tenth of one. A template may take 500 for each, and nothing else is done then. */
const slowBuildMs = 50;
/** Sends with such templates together get one part of this worker's time, all others the rest. */
const slowPart = 5;
/** So many messages that are quick again make a send an ordinary one. */
const quickBuildsToTrust = 100;
/** While the mail server cannot be reached: first wait, doubled up to the longest. */
const firstCoolDownMs = 1_000;
const longestCoolDownMs = 60_000;

/**
 * Sends what is to be sent, for all organizations in turns. Every message is marked in the database, committed, before
 * it may leave, and its outcome is stored right after; at most `window` messages are between the two.
 *
 * One class, long as it is, because all of it acts on the same leases: looking for work, leasing, starting, storing.
 * What can be decided without them is elsewhere: `DeliveryRun` keeps the books of one lease, send-window.ts shares the
 * window out, delivery.ts says what a reply means.
 * @see docs/sending.md
 */
export class SendWorker {
  readonly #options: SendWorkerOptions;
  readonly #runs = new Set<DeliveryRun>();
  readonly #active = new Map<string, ActiveSend>();
  /** `performance.now()` of the last lease of a send: who waits longest is next. */
  readonly #servedAt = new Map<string, number>();
  readonly #preparing = new Set<string>();
  #slots: number;
  /** Room that is promised to leases under way. */
  #reserved = 0;
  /** What the loop below has been asked to do. */
  #wantsPoll = false;
  readonly #wantsChunk = new Set<ActiveSend>();
  #working: Promise<void> | undefined;
  #workerId: number | undefined;
  #isStopping = false;
  #coolUntil = 0;
  /** Until then no message of a slow send is built. */
  #slowUntil = 0;
  #coolDownMs = firstCoolDownMs;
  #pollTimer: NodeJS.Timeout;
  #storeTimer: NodeJS.Timeout;
  #onIdle: (() => void) | undefined;

  constructor(options: SendWorkerOptions) {
    this.#options = options;
    this.#slots = options.transport.connections;
    this.#pollTimer = setInterval(() => this.poke(), pollMs);
    this.#storeTimer = setInterval(() => this.#tick(), longestUnstoredMs);
    this.poke();
  }

  /** Looks for work now. */
  poke(): void {
    this.#wantsPoll = true;
    this.#work();
  }

  /** Starts nothing more, stores what is under way, gives the rest back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#pollTimer);
    for (const run of this.#runs) run.isStopping = true;
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#storeAll();
    this.#checkIdle();
    await idle;
    clearInterval(this.#storeTimer);
  }

  /** One look for work at a time, so that two of them cannot take the same room. */
  #work(): void {
    this.#working ??= this.#workOff().finally(() => {
      this.#working = undefined;
      this.#checkIdle();
    });
  }

  async #workOff(): Promise<void> {
    while (!this.#isStopping && (this.#wantsPoll || this.#wantsChunk.size > 0)) {
      try {
        await this.#leaseWanted();
        if (this.#wantsPoll) {
          this.#wantsPoll = false;
          await this.#poll();
        }
      } catch (error) {
        this.#options.log.warn({ err: error }, 'send worker could not look for work');
      }
    }
  }

  /** For sends that run out of recipients: these come first, or connections would stand idle. */
  async #leaseWanted(): Promise<void> {
    for (const send of this.#wantsChunk) {
      this.#wantsChunk.delete(send);
      if (this.#wantsNextChunk(send)) await this.#leaseChunk(send);
    }
  }

  async #poll(): Promise<void> {
    const { db, identity, log } = this.#options;
    const sends = await findOpenSends(db, 1_000);
    const sending = new Set(sends.filter(sendCan.deliver).map(({ send_id }) => send_id));
    for (const run of this.#runs) {
      // Paused, cancelled, or its organization is suspended.
      if (!sending.has(run.send.ref.sendId)) this.#stopRun(run);
    }
    for (const id of this.#active.keys()) if (!sending.has(id)) this.#active.delete(id);
    for (const id of this.#servedAt.keys()) if (!sending.has(id)) this.#servedAt.delete(id);
    if (identity.id !== this.#workerId) await this.#changeIdentity(identity.id);
    const waitingSince = ({ send_id }: OpenSend) => this.#servedAt.get(send_id) ?? 0;
    for (const send of sends.toSorted((a, b) => waitingSince(a) - waitingSince(b))) {
      if (this.#isStopping || identity.id === undefined || identity.id !== this.#workerId) return;
      try {
        await this.#serve(send);
        // A look at a thousand sends takes a while.
        await this.#leaseWanted();
      } catch (error) {
        log.error({ err: error, send: send.send_id }, 'send could not go on');
      }
    }
    this.#pump();
  }

  /**
   * The connection that kept us alive was lost, and what we hold is anybody's: chunks become ours again by their token,
   * unless somebody was faster. Retries have none, so no more of those are started.
   */
  async #changeIdentity(id: number | undefined): Promise<void> {
    this.#workerId = id;
    if (id === undefined) return;
    for (const run of this.#runs) {
      if (run.workerId === id) continue;
      if (run.lease === undefined) this.#stopRun(run);
      else await this.#renew(run, id);
    }
  }

  async #serve({ organization_id, send_id, status }: OpenSend): Promise<void> {
    const { db, load } = this.#options;
    const ref = { organizationId: organization_id, sendId: send_id };
    if (sendCan.prepare({ status })) return this.#prepare(ref);
    if (!sendCan.deliver({ status }))
      return await inOrganization(db, organization_id, (trx) => settleCancelled(trx, ref));
    let active = this.#active.get(send_id);
    if (active === undefined) {
      active = await loadActiveSend(db, load, ref);
      if (active === undefined) return;
      this.#active.set(send_id, active);
    }
    await this.#lease(active);
  }

  /** Beside everything else: writing down a million recipients takes seconds, in which other sends go on. */
  #prepare(ref: SendRef): void {
    if (this.#preparing.has(ref.sendId)) return;
    this.#preparing.add(ref.sendId);
    prepareSend(this.#options.db, ref)
      .then((isSending) => isSending && this.poke())
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, send: ref.sendId }, 'send could not be prepared'),
      )
      .finally(() => {
        this.#preparing.delete(ref.sendId);
        this.#checkIdle();
      });
  }

  /** Takes retries that are due and a chunk, as far as there is room. */
  async #lease(send: ActiveSend): Promise<void> {
    if (performance.now() < this.#coolUntil) return;
    await this.#leaseRetries(send);
    const hadRuns = this.#runsOf(send).length > 0;
    const isLeased = this.#wantsNextChunk(send) && (await this.#leaseChunk(send));
    if (!isLeased && !hadRuns && this.#runsOf(send).length === 0)
      await inOrganization(this.#options.db, send.ref.organizationId, (trx) => completeSend(trx, send.ref));
  }

  async #leaseRetries(send: ActiveSend): Promise<void> {
    const { pipelined } = this.#options;
    const workerId = this.#workerId;
    const ofSend = this.#runsOf(send).filter((run) => run.lease === undefined);
    const room = this.#room();
    if (workerId === undefined || room === 0 || ofSend.some((run) => !run.isStopping)) return;
    const known = ofSend.flatMap((run) => run.seqs());
    this.#reserved += room;
    try {
      const due = await leaseRetries(pipelined, send.ref, workerId, room, known);
      if (due.length > 0) this.#add(new DeliveryRun(send, workerId, due, undefined));
    } finally {
      this.#reserved -= room;
    }
    this.#pumpAndStore();
  }

  /** One chunk at a time, and the next one when this one is nearly all under way. */
  #wantsNextChunk(send: ActiveSend): boolean {
    const chunks = this.#runsOf(send).filter((run) => run.lease !== undefined && !run.isStopping);
    if (chunks.length === 0) return this.#runs.size < maxRuns;
    return (
      chunks.length === 1 &&
      this.#runs.size < maxRunsToLeaseAhead &&
      chunks[0]!.remaining < this.#options.window
    );
  }

  async #leaseChunk(send: ActiveSend): Promise<boolean> {
    const workerId = this.#workerId;
    if (workerId === undefined) return false;
    // What a chunk of this send still has to mark comes first; the next one marks when its turn comes.
    const isAhead = this.#runsOf(send).some((run) => run.lease !== undefined && run.wantsMore);
    const slice = isAhead ? 0 : Math.max(0, Math.floor(this.#share()));
    const known = this.#runsOf(send).flatMap((run) => run.lease?.lo ?? []);
    this.#reserved += slice;
    this.#servedAt.set(send.ref.sendId, performance.now());
    try {
      const leased = await leaseChunk(this.#options.pipelined, send.ref, workerId, slice, known);
      if (leased === undefined) return false;
      this.#add(new DeliveryRun(send, workerId, leased.recipients, leased.lease));
    } finally {
      this.#reserved -= slice;
    }
    this.#pumpAndStore();
    return true;
  }

  /** Also those of an earlier time, before a pause for instance. */
  #runsOf({ ref }: ActiveSend): DeliveryRun[] {
    return [...this.#runs].filter((run) => run.send.ref.sendId === ref.sendId);
  }

  #add(run: DeliveryRun): void {
    run.isStopping = this.#isStopping;
    this.#runs.add(run);
  }

  #room(): number {
    return roomIn(this.#options.window, this.#runs, this.#reserved);
  }

  #share(run?: DeliveryRun): number {
    return shareOf(this.#options.window, this.#runs, this.#reserved, run);
  }

  #pumpAndStore(): void {
    this.#pump();
    for (const run of this.#runs) this.#storeIfDue(run);
  }

  /** Starts messages while there are free connections, one of each run in turns. */
  #pump(): void {
    if (performance.now() < this.#coolUntil) return;
    let hasStarted = true;
    while (this.#slots > 0 && hasStarted) {
      hasStarted = false;
      for (const run of this.#runs) {
        if (this.#slots === 0) break;
        if (run.send.slowness > 0 && performance.now() < this.#slowUntil) continue;
        const recipient = run.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(run, recipient);
      }
    }
  }

  #send(run: DeliveryRun, recipient: Recipient): void {
    const { transport } = this.#options;
    const attempts = recipient.attempts + 1;
    const finish = (result: Outcome['result'], reply: string | null) =>
      run.finish({ seq: recipient.seq, attempts, reply, at: new Date().toISOString(), result });
    if (recipient.is_suppressed || run.suppressed.has(recipient.address.toLowerCase())) {
      finish({ kind: 'final', state: 'suppressed', suppress: false }, null);
      return;
    }
    let message;
    const startedAt = performance.now();
    try {
      message = buildMessage(run.send, recipient);
    } catch (error) {
      // What nobody foresaw is for the log only: its text may tell more than a person should read.
      const reason = error instanceof RenderError ? error.message : 'The message could not be built.';
      if (!(error instanceof RenderError))
        this.#options.log.error({ err: error, send: run.send.ref.sendId }, 'message could not be built');
      finish({ kind: 'final', state: 'failed', suppress: false }, reason);
      run.send.renderFailures += 1;
      if (run.send.renderFailures === renderFailuresToPause)
        this.#pause(run, `Many messages in a row could not be built. The last reason: ${reason}`);
      return;
    } finally {
      this.#noteBuild(run.send, performance.now() - startedAt);
    }
    run.send.renderFailures = 0;
    this.#slots -= 1;
    // Transports never reject (MailTransport); a defect in one must still not lose the message.
    transport.send(message).then(
      (result) => this.#onResult(run, recipient, attempts, result),
      (error: unknown) =>
        this.#onResult(run, recipient, attempts, { outcome: 'uncertain', reason: String(error) }),
    );
  }

  /** What takes long to build is built more rarely: one template must not hold up the mail of all others. */
  #noteBuild(send: ActiveSend, tookMs: number): void {
    if (tookMs < slowBuildMs) {
      if (send.slowness > 0) send.slowness -= 1;
      return;
    }
    send.slowness = quickBuildsToTrust;
    const pauseMs = tookMs * (slowPart - 1);
    this.#slowUntil = performance.now() + pauseMs;
    setTimeout(() => this.#pumpAndStore(), pauseMs + 1).unref();
  }

  #onResult(run: DeliveryRun, recipient: Recipient, attempts: number, result: TransportResult): void {
    this.#slots += 1;
    const now = new Date();
    if (result.outcome === 'not_sent') {
      run.putBack(recipient);
      this.#coolDown(run, result.reason);
    } else {
      if (result.outcome === 'accepted') this.#coolDownMs = firstCoolDownMs;
      run.finish(toOutcome(result, { seq: recipient.seq, attempts }, run.send, now, Math.random()));
      run.send.senderRefusals = isAboutSender(result) ? run.send.senderRefusals + 1 : 0;
      if (run.send.senderRefusals === refusalsToPause && result.outcome === 'rejected') {
        this.#pause(run, `The mail server refuses this sender: ${result.code} ${result.text}`);
      }
    }
    this.#pumpAndStore();
  }

  /** Stores when half the window waits, when nothing can start without it, or when the run is over. */
  #storeIfDue(run: DeliveryRun): void {
    if (run.isStoring || run.isEnding || !this.#runs.has(run)) return;
    const isDue =
      run.isOver ||
      run.outcomeCount >= this.#options.window / 2 ||
      (run.isStarved && run.outcomeCount + Math.floor(this.#share(run)) >= Math.min(8, run.remaining));
    if (isDue) void this.#store(run);
  }

  #tick(): void {
    this.#storeAll();
    const now = performance.now();
    for (const run of this.#runs) {
      if (now - run.renewedAt < renewMs || this.#workerId === undefined) continue;
      run.renewedAt = now;
      void this.#renew(run, this.#workerId);
    }
  }

  #storeAll(): void {
    for (const run of this.#runs) {
      const isWaiting =
        run.outcomeCount > 0 ||
        run.isOver ||
        run.isMarkUnsure ||
        (run.isStarved && Math.floor(this.#share(run)) >= 1);
      if (isWaiting && !run.isStoring && !run.isEnding) void this.#store(run);
    }
  }

  async #renew(run: DeliveryRun, workerId: number): Promise<void> {
    const { pipelined, log } = this.#options;
    const held = { lease: run.lease, seqs: run.seqs() };
    await renewLeases(pipelined, run.send.ref, workerId, held).catch((error: unknown) =>
      log.warn({ err: error }, 'leases could not be renewed'),
    );
  }

  async #store(run: DeliveryRun): Promise<void> {
    run.isStoring = true;
    const { pipelined, identity, log } = this.#options;
    // What is stored now makes room for as much. Without an identity others may take the chunk: it marks no more.
    const more = identity.id === undefined ? 0 : Math.floor(this.#share(run) + run.outcomeCount);
    const taken = run.takeForStore(Math.max(0, more));
    const bounces = taken.outcomes
      .filter(({ result }) => result.kind === 'final' && result.state === 'bounced')
      .map((outcome) => toBounce(outcome, run));
    try {
      const stored = await storeOutcomes(
        pipelined,
        run.send.ref,
        identity.id,
        taken.outcomes,
        bounces,
        taken.progress,
      );
      run.stored(taken);
      this.#afterStore(run, stored, taken.progress?.release !== undefined);
    } catch (error) {
      run.notStored(taken);
      log.warn({ err: error }, 'outcomes could not be stored yet');
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs));
    } finally {
      run.isStoring = false;
      this.#pumpAndStore();
    }
  }

  #afterStore(run: DeliveryRun, stored: Stored, isReleased: boolean): void {
    if (!stored.holdsLease || !sendCan.deliver(stored)) run.isStopping = true;
    for (const address of stored.newlySuppressed) run.suppressed.add(address);
    const isEmpty = run.isOver && run.outcomeCount === 0;
    if (isReleased || (isEmpty && (run.lease === undefined || !stored.holdsLease))) void this.#end(run);
    else if (this.#wantsNextChunk(run.send)) {
      this.#wantsChunk.add(run.send);
      this.#work();
    }
  }

  async #end(run: DeliveryRun): Promise<void> {
    run.isEnding = true;
    const { pipelined, log } = this.#options;
    const unstarted = run.lease === undefined ? run.unstarted() : [];
    if (unstarted.length > 0) {
      // If this fails, `leaseRetries` finds them: in our name, but unknown to us.
      await releaseRetries(pipelined, run.send.ref, run.workerId, unstarted).catch((error: unknown) =>
        log.warn({ err: error }, 'retries could not be given back yet'),
      );
    }
    this.#runs.delete(run);
    this.poke();
    this.#checkIdle();
  }

  #stopRun(run: DeliveryRun): void {
    run.isStopping = true;
    this.#storeIfDue(run);
  }

  /** The mail server cannot be reached: nothing starts for a while, and the send says why. */
  #coolDown(run: DeliveryRun, reason: string): void {
    const now = performance.now();
    if (now < this.#coolUntil) return;
    this.#coolUntil = now + this.#coolDownMs;
    this.#coolDownMs = Math.min(this.#coolDownMs * 2, longestCoolDownMs);
    const { db, log } = this.#options;
    log.warn({ reason }, 'mail server cannot be reached');
    const { ref } = run.send;
    inOrganization(db, ref.organizationId, (trx) =>
      recordSendError(trx, ref.sendId, `The mail server cannot be reached and is tried again: ${reason}`),
    ).catch(() => undefined);
    setTimeout(() => this.#pumpAndStore(), this.#coolUntil - now + 1).unref();
  }

  #pause(run: DeliveryRun, reason: string): void {
    this.#stopRun(run);
    const { db, log } = this.#options;
    const { ref } = run.send;
    inOrganization(db, ref.organizationId, (trx) =>
      pauseOnErrors(trx, ref.sendId, reason.slice(0, 500)),
    ).catch((error: unknown) => log.error({ err: error, send: ref.sendId }, 'send could not be paused'));
  }

  #checkIdle(): void {
    const isBusy = this.#runs.size > 0 || this.#working !== undefined || this.#preparing.size > 0;
    if (this.#isStopping && !isBusy) this.#onIdle?.();
  }
}
