// Long, because all of it moves the same leases: what may start next depends on what is under way, stored and due.
import { sendCan } from '@reachout/contract/states/send.ts';
import type { Handover, MailTransport, TransportResult } from '../../email/transports/transport.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { isDatabaseAway, isStatementTimeout } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { countTry, toDeliveryResult, type DeliveryResult, type Recipient } from '../queue/delivery.ts';
import {
  findOpenSends,
  leaseChunk,
  leaseRetries,
  releaseRetries,
  renewLeases,
  storeResults,
  type OpenSend,
  type SendKey,
  type StoreResult,
} from '../queue/delivery.queries.ts';
import { CoolDown } from './cool-down.ts';
import { SlowBuilds } from './slow-builds.ts';
import { buildMessage, LeasedBatch, type ActiveSend } from './lease.ts';
import { toBounce } from './bounce.ts';
import { completeSend, completeCancelled } from '../sends/end-send.ts';
import { loadActiveSend, prepareSend } from './prepare-send.ts';
import { freeSlots, fairShare } from './in-flight-limit.ts';
import { tryRecovered } from './try-recovered.ts';
import { pauseOnErrors, recordFailure } from '../sends/change-send.ts';
import { forgetFailures, recordSendError } from '../queue/send.queries.ts';

export interface SendWorkerOptions {
  db: Database;
  /** For audience snapshots, which take seconds to minutes. */
  prepareDb: Database;
  /** For what runs many times a second: taking and storing deliveries. */
  pipelined: PipelinedDatabase;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  transport: MailTransport;
  load: Parameters<typeof loadActiveSend>[1];
  /** Most messages under way without a stored result. */
  inFlightLimit: number;
}

/** Each keeps a processor of the database busy, for minutes at worst; so one organization prepares one send at a time. */
export const maxPreparing = 2;
/** How often the worker looks for work by itself; work that it is notified of is taken at once. */
const pollMs = 1_000;
/** Leases held at once. Sends with nothing under way find a place among them beside those that are going on. */
const maxBatches = 8;
/** As long as so few are held, a send may take its next chunk before the last one is over. */
const maxBatchesToLeaseAhead = 4;
/** A slow mail server must not keep finished messages unaccounted: stored at the latest after this. */
const maxUnstoredMs = 100;
/** Leases hold for 120 s (delivery.queries.ts), and the reply to one message may take 600 s. */
const renewMs = 30_000;
const databaseRetryMs = 500;
/** So many lost connections in a row, whoever the recipients are, mean that the mail server is not well. */
const interruptionsToCoolDown = 10;
/** No message is built while so much waits for the mail server: a newsletter has 10 kB to 100 kB, a message at most 10 MB. */
const bytesUnderWayLimit = 16_000_000;

/**
 * Sends the due messages of all organizations, round robin. Every message is marked in the database, committed,
 * before it may leave, and its result is stored right after; at most `inFlightLimit` messages are between the two.
 *
 * One long class, because all of it acts on the same leases: looking for work, leasing, starting, storing. Decisions that
 * do not need them are elsewhere: `LeasedBatch` keeps account of one lease, in-flight-limit.ts divides the in-flight
 * limit, `CoolDown` and `SlowBuilds` hold messages back, delivery.ts says what a reply means.
 * @see docs/sending.md
 */
export class SendWorker {
  readonly #options: SendWorkerOptions;
  readonly #batches = new Set<LeasedBatch>();
  readonly #active = new Map<string, ActiveSend>();
  /** `performance.now()` of the last lease of a send, or try to prepare it: who waits longest is next. */
  readonly #lastServedAt = new Map<string, number>();
  /** Organizations of which a send is being prepared. */
  readonly #preparing = new Set<string>();
  #freeConnections: number;
  #bytesUnderWay = 0;
  /** Messages in a row whose connection was lost. */
  #interruptions = 0;
  /** Room that is promised to leases under way. */
  #reserved = 0;
  /** Requests to the loop below. */
  #pollRequested = false;
  readonly #chunkRequested = new Set<ActiveSend>();
  #loop: Promise<void> | undefined;
  #workerId: number | undefined;
  #isStopping = false;
  readonly #coolDown = new CoolDown(() => this.#startAndStore());
  readonly #slowBuilds = new SlowBuilds(() => this.#startAndStore());
  #pollTimer: NodeJS.Timeout;
  #storeTimer: NodeJS.Timeout;
  #onIdle: (() => void) | undefined;

  constructor(options: SendWorkerOptions) {
    this.#options = options;
    this.#freeConnections = options.transport.capacity;
    this.#pollTimer = setInterval(() => this.wake(), pollMs);
    this.#storeTimer = setInterval(() => this.#tick(), maxUnstoredMs);
    this.wake();
  }

  /** Looks for work now. */
  wake(): void {
    this.#pollRequested = true;
    this.#startLoop();
  }

  /** Starts nothing more, stores what is under way, gives the rest back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#pollTimer);
    for (const batch of this.#batches) batch.isStopping = true;
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#storeAll();
    this.#checkIdle();
    await idle;
    clearInterval(this.#storeTimer);
  }

  /**
   * One look for work at a time, so that two of them cannot take the same room. Not a poller: chunks that sends ask for
   * come between two polls, and a stop waits for leases, not only for the loop.
   */
  #startLoop(): void {
    this.#loop ??= this.#runLoop().finally(() => {
      this.#loop = undefined;
      this.#checkIdle();
    });
  }

  async #runLoop(): Promise<void> {
    while (!this.#isStopping && (this.#pollRequested || this.#chunkRequested.size > 0)) {
      try {
        await this.#leaseRequested();
        if (this.#pollRequested) {
          this.#pollRequested = false;
          await this.#poll();
        }
      } catch (error) {
        this.#options.log.warn({ err: error }, 'send worker could not look for work');
      }
    }
  }

  /** For sends that run out of recipients: these come first, or connections would stand idle. */
  async #leaseRequested(): Promise<void> {
    for (const send of this.#chunkRequested) {
      this.#chunkRequested.delete(send);
      if (this.#needsNextChunk(send)) await this.#leaseChunk(send);
    }
  }

  async #poll(): Promise<void> {
    const { db, heartbeat, log } = this.#options;
    const sends = await findOpenSends(db, 1_000);
    const sending = new Set(sends.filter(sendCan.deliver).map(({ send_id }) => send_id));
    for (const batch of this.#batches) {
      // Paused, cancelled, or its organization is suspended.
      if (!sending.has(batch.send.ref.sendId)) this.#stopBatch(batch);
    }
    for (const id of this.#active.keys()) if (!sending.has(id)) this.#active.delete(id);
    const open = new Set(sends.map(({ send_id }) => send_id));
    for (const id of this.#lastServedAt.keys()) if (!open.has(id)) this.#lastServedAt.delete(id);
    if (heartbeat.id !== this.#workerId) await this.#changeWorkerId(heartbeat.id);
    const lastServedAt = ({ send_id }: OpenSend) => this.#lastServedAt.get(send_id) ?? 0;
    for (const send of sends.toSorted((a, b) => lastServedAt(a) - lastServedAt(b))) {
      if (this.#isStopping || heartbeat.id === undefined || heartbeat.id !== this.#workerId) return;
      try {
        await this.#processSend(send);
        // A look at a thousand sends takes a while.
        await this.#leaseRequested();
      } catch (error) {
        log.error({ err: error, send: send.send_id }, 'send could not go on');
        if (!isDatabaseAway(error)) await this.#recordFailure(send);
      }
    }
    this.#startMessages();
  }

  /**
   * The connection that kept us alive was lost, and what we hold is anybody's: chunks become ours again by their token,
   * unless somebody was faster. Retries have none, so no more of those are started.
   */
  async #changeWorkerId(id: number | undefined): Promise<void> {
    this.#workerId = id;
    if (id === undefined) return;
    for (const batch of this.#batches) {
      if (batch.workerId === id) continue;
      if (batch.lease === undefined) this.#stopBatch(batch);
      await this.#renew(batch, id);
    }
  }

  async #processSend({ organization_id, send_id, status }: OpenSend): Promise<void> {
    const { db, load } = this.#options;
    const ref = { organizationId: organization_id, sendId: send_id };
    if (sendCan.prepare({ status })) return this.#prepare(ref);
    if (!sendCan.deliver({ status }))
      return await inOrganization(db, organization_id, (trx) => completeCancelled(trx, ref));
    let active = this.#active.get(send_id);
    if (active === undefined) {
      active = await loadActiveSend(db, load, ref);
      if (active === undefined) return;
      this.#active.set(send_id, active);
    }
    await this.#lease(active);
    if (active.hasLeased) return;
    await inOrganization(db, organization_id, (trx) => forgetFailures(trx, send_id));
    active.hasLeased = true;
  }

  /** Beside everything else: storing a million recipients takes seconds, in which other sends go on. */
  #prepare(ref: SendKey): void {
    if (this.#preparing.has(ref.organizationId) || this.#preparing.size >= maxPreparing) return;
    this.#preparing.add(ref.organizationId);
    this.#lastServedAt.set(ref.sendId, performance.now());
    let isSending = false;
    prepareSend(this.#options.prepareDb, this.#options.load.relay, ref)
      .then((isReady) => (isSending = isReady))
      .catch(async (error: unknown) => {
        this.#options.log.error({ err: error, send: ref.sendId }, 'send could not be prepared');
        if (isDatabaseAway(error) && !isStatementTimeout(error)) return;
        await this.#recordFailure({ organization_id: ref.organizationId, send_id: ref.sendId });
      })
      .finally(() => {
        this.#preparing.delete(ref.organizationId);
        // Not after one that another worker has: the next look would find it again.
        if (isSending) this.wake();
        this.#checkIdle();
      });
  }

  /** What fails again and again has an end; a database that is away is no failure of the send. */
  async #recordFailure({
    organization_id,
    send_id,
  }: Pick<OpenSend, 'organization_id' | 'send_id'>): Promise<void> {
    const { db, log } = this.#options;
    await inOrganization(db, organization_id, (trx) => recordFailure(trx, send_id)).catch((next: unknown) =>
      log.error({ err: next, send: send_id }, 'failure of a send could not be noted'),
    );
  }

  /** Takes retries that are due and a chunk, as far as there is room. */
  async #lease(send: ActiveSend): Promise<void> {
    if (send.isPausing || this.#coolDown.isActive) return;
    await this.#leaseRetries(send);
    const hadBatches = this.#batchesOf(send).length > 0;
    const isLeased = this.#needsNextChunk(send) && (await this.#leaseChunk(send));
    if (!isLeased && !hadBatches && this.#batchesOf(send).length === 0)
      await inOrganization(this.#options.db, send.ref.organizationId, (trx) => completeSend(trx, send.ref));
  }

  async #leaseRetries(send: ActiveSend): Promise<void> {
    const { pipelined } = this.#options;
    const workerId = this.#workerId;
    const ofSend = this.#batchesOf(send).filter((batch) => batch.lease === undefined);
    const slots = this.#freeSlots();
    if (workerId === undefined || slots === 0 || ofSend.some((batch) => !batch.isStopping)) return;
    const held = ofSend.flatMap((batch) => batch.seqs());
    this.#reserved += slots;
    try {
      const { recipients, hasRecovered } = await leaseRetries(pipelined, send.ref, workerId, slots, held);
      if (recipients.length > 0) this.#add(new LeasedBatch(send, workerId, recipients, undefined));
      if (hasRecovered) this.#tryRecovered(send);
    } finally {
      this.#reserved -= slots;
    }
    this.#startAndStore();
  }

  /** Beside everything else; what was built without harm is due like any other retry. */
  #tryRecovered(send: ActiveSend): void {
    if (send.isTrying || this.#isStopping) return;
    send.isTrying = true;
    const { db, pipelined, load, log } = this.#options;
    tryRecovered({ db, pipelined, load }, send)
      .then(() => this.wake())
      .catch(async (error: unknown) => {
        log.error({ err: error, send: send.ref.sendId }, 'messages of a worker that died could not be tried');
        if (isDatabaseAway(error)) return;
        await this.#recordFailure({ organization_id: send.ref.organizationId, send_id: send.ref.sendId });
      })
      .finally(() => (send.isTrying = false));
  }

  /** One chunk at a time, and the next one when this one is nearly all under way. */
  #needsNextChunk(send: ActiveSend): boolean {
    if (send.isPausing) return false;
    const chunks = this.#batchesOf(send).filter((batch) => batch.lease !== undefined && !batch.isStopping);
    if (chunks.length === 0) return this.#batches.size < maxBatches;
    return (
      chunks.length === 1 &&
      this.#batches.size < maxBatchesToLeaseAhead &&
      chunks[0]!.remaining < this.#options.inFlightLimit
    );
  }

  async #leaseChunk(send: ActiveSend): Promise<boolean> {
    const workerId = this.#workerId;
    if (workerId === undefined) return false;
    // The unmarked rest of a chunk of this send comes first; the next chunk is marked later.
    const isAhead = this.#batchesOf(send).some((batch) => batch.lease !== undefined && batch.hasUnmarked);
    const markCount = isAhead ? 0 : Math.max(0, Math.floor(this.#fairShare()));
    const held = this.#batchesOf(send).flatMap((batch) => batch.lease?.firstSeq ?? []);
    this.#reserved += markCount;
    this.#lastServedAt.set(send.ref.sendId, performance.now());
    try {
      const leased = await leaseChunk(this.#options.pipelined, send.ref, workerId, markCount, held);
      if (leased === undefined) return false;
      this.#add(new LeasedBatch(send, workerId, leased.recipients, leased.lease));
    } finally {
      this.#reserved -= markCount;
    }
    this.#startAndStore();
    return true;
  }

  /** Also those of an earlier time, before a pause for instance. */
  #batchesOf({ ref }: ActiveSend): LeasedBatch[] {
    return [...this.#batches].filter((batch) => batch.send.ref.sendId === ref.sendId);
  }

  #add(batch: LeasedBatch): void {
    batch.isStopping = this.#isStopping;
    this.#batches.add(batch);
  }

  #freeSlots(): number {
    return freeSlots(this.#options.inFlightLimit, this.#batches, this.#reserved);
  }

  #fairShare(batch?: LeasedBatch): number {
    return fairShare(this.#options.inFlightLimit, this.#batches, this.#reserved, batch);
  }

  #startAndStore(): void {
    this.#startMessages();
    for (const batch of this.#batches) this.#storeIfDue(batch);
  }

  /** Starts messages while there are free connections and memory, one of each batch round robin. */
  #startMessages(): void {
    if (this.#coolDown.isActive) return;
    let hasStarted = true;
    while (this.#canStart() && hasStarted) {
      hasStarted = false;
      for (const batch of this.#batches) {
        if (!this.#canStart()) break;
        if (this.#slowBuilds.holdsBack(batch.send)) continue;
        const recipient = batch.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(batch, recipient);
      }
    }
  }

  #canStart(): boolean {
    return this.#freeConnections > 0 && this.#bytesUnderWay < bytesUnderWayLimit;
  }

  #send(batch: LeasedBatch, recipient: Recipient): void {
    const { transport } = this.#options;
    const finish = (result: DeliveryResult['result'], reply: string | null) => {
      const now = new Date();
      const tries = countTry(recipient.tries, undefined, now);
      batch.finish({ seq: recipient.seq, tries, reply, at: now.toISOString(), result });
    };
    if (recipient.is_suppressed || batch.suppressed.has(recipient.address.toLowerCase())) {
      finish({ kind: 'final', state: 'suppressed', suppress: false }, null);
      return;
    }
    let message;
    const usedBefore = process.threadCpuUsage();
    try {
      message = buildMessage(batch.send, recipient);
    } catch (error) {
      // Only the log gets an unexpected error: its text may contain internal details.
      const reason = error instanceof RenderError ? error.message : 'The message could not be built.';
      if (!(error instanceof RenderError))
        this.#options.log.error({ err: error, send: batch.send.ref.sendId }, 'message could not be built');
      finish({ kind: 'final', state: 'failed', suppress: false }, reason);
      this.#pauseFor(batch, batch.send.health.recordBuildFailure(reason));
      return;
    } finally {
      const { user, system } = process.threadCpuUsage(usedBefore);
      this.#slowBuilds.record(batch.send, (user + system) / 1_000);
    }
    batch.send.health.recordBuilt();
    const { length } = message.message;
    this.#freeConnections -= 1;
    this.#bytesUnderWay += length;
    const end = ({ result, settle }: Handover) => {
      this.#freeConnections += 1;
      this.#bytesUnderWay -= length;
      this.#onResult(batch, recipient, result);
      settle();
    };
    // Transports never reject (MailTransport); a defect in one must still not lose the message.
    transport
      .send(message)
      .then(end, (error: unknown) =>
        end({ result: { outcome: 'uncertain', reason: String(error) }, settle: () => undefined }),
      );
  }

  #onResult(batch: LeasedBatch, recipient: Recipient, result: TransportResult): void {
    const now = new Date();
    const isInterrupted = result.outcome === 'interrupted';
    this.#interruptions = isInterrupted ? this.#interruptions + 1 : 0;
    if (result.outcome === 'not_sent') {
      batch.requeue(recipient);
      this.#coolDownFor(batch, `The mail server cannot be reached and is tried again: ${result.reason}`);
    } else if (isInterrupted && this.#interruptions >= interruptionsToCoolDown) {
      this.#interruptions = 0;
      batch.requeue(recipient);
      this.#coolDownFor(batch, `The mail server closes connections and is tried again: ${result.reason}`);
    } else if (isInterrupted && recipient.tries.interruptions === 0) {
      // A server may close a connection for reasons of its own: the first time, the message goes again at once.
      batch.requeue({ ...recipient, tries: countTry(recipient.tries, result.outcome, now) });
    } else {
      if (result.outcome === 'accepted') this.#coolDown.reset();
      batch.finish(toDeliveryResult(result, recipient, batch.send, now, Math.random()));
      this.#pauseFor(batch, batch.send.health.record(result));
    }
    this.#startAndStore();
  }

  /** Stores when half the in-flight limit waits, when nothing can start without it, or when the batch is finished. */
  #storeIfDue(batch: LeasedBatch): void {
    if (batch.isStoring || batch.isEnding || !this.#batches.has(batch)) return;
    const isDue =
      batch.isFinished ||
      batch.resultCount >= this.#options.inFlightLimit / 2 ||
      (batch.isStarved &&
        batch.resultCount + Math.floor(this.#fairShare(batch)) >= Math.min(8, batch.remaining));
    if (isDue) void this.#store(batch);
  }

  #tick(): void {
    this.#storeAll();
    const now = performance.now();
    for (const batch of this.#batches) {
      if (now - batch.renewedAt < renewMs || this.#workerId === undefined) continue;
      batch.renewedAt = now;
      void this.#renew(batch, this.#workerId);
    }
  }

  #storeAll(): void {
    for (const batch of this.#batches) {
      const isWaiting =
        batch.resultCount > 0 ||
        batch.isFinished ||
        batch.isMarkUnconfirmed ||
        (batch.isStarved && Math.floor(this.#fairShare(batch)) >= 1);
      if (isWaiting && !batch.isStoring && !batch.isEnding) void this.#store(batch);
    }
  }

  async #renew(batch: LeasedBatch, workerId: number): Promise<void> {
    const { pipelined, log } = this.#options;
    const held = { lease: batch.lease, seqs: batch.seqs() };
    try {
      await renewLeases(pipelined, batch.send.ref, { workerId, previousId: batch.workerId }, held);
      batch.workerId = workerId;
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  async #store(batch: LeasedBatch): Promise<void> {
    batch.isStoring = true;
    const { pipelined, heartbeat, log } = this.#options;
    // Each stored result frees a slot. Without a heartbeat other workers may take the chunk: nothing more is marked.
    const more = heartbeat.id === undefined ? 0 : Math.floor(this.#fairShare(batch) + batch.resultCount);
    const batchToStore = batch.takeUnstored(Math.max(0, more));
    const bounces = batchToStore.results
      .filter(({ result }) => result.kind === 'final' && result.state === 'bounced')
      .map((outcome) => toBounce(outcome, batch));
    try {
      const stored = await storeResults(
        pipelined,
        batch.send.ref,
        heartbeat.id,
        batchToStore.results,
        bounces,
        batchToStore.progress,
      );
      batch.confirmStored(batchToStore);
      this.#afterStore(batch, stored, batchToStore.progress?.release !== undefined);
    } catch (error) {
      batch.restoreUnstored(batchToStore);
      log.warn({ err: error }, 'results could not be stored yet');
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs));
    } finally {
      batch.isStoring = false;
      this.#startAndStore();
    }
  }

  #afterStore(batch: LeasedBatch, stored: StoreResult, isReleased: boolean): void {
    if (!stored.holdsLease || !sendCan.deliver(stored)) batch.isStopping = true;
    for (const address of stored.newlySuppressed) batch.suppressed.add(address);
    const isEmpty = batch.isFinished && batch.resultCount === 0;
    if (isReleased || (isEmpty && (batch.lease === undefined || !stored.holdsLease))) void this.#end(batch);
    else if (this.#needsNextChunk(batch.send)) {
      this.#chunkRequested.add(batch.send);
      this.#startLoop();
    }
  }

  async #end(batch: LeasedBatch): Promise<void> {
    batch.isEnding = true;
    const { pipelined, log } = this.#options;
    const unstarted = batch.lease === undefined ? batch.unstarted() : [];
    if (unstarted.length > 0) {
      // If this fails, `leaseRetries` finds them: in our name, but unknown to us.
      await releaseRetries(pipelined, batch.send.ref, batch.workerId, unstarted).catch((error: unknown) =>
        log.warn({ err: error }, 'retries could not be given back yet'),
      );
    }
    this.#batches.delete(batch);
    this.wake();
    this.#checkIdle();
  }

  #stopBatch(batch: LeasedBatch): void {
    batch.isStopping = true;
    this.#storeIfDue(batch);
  }

  /** Nothing starts for a while, and the send says why. */
  #coolDownFor({ send: { ref } }: LeasedBatch, reason: string): void {
    if (!this.#coolDown.begin()) return;
    const { db, log } = this.#options;
    log.warn({ reason }, 'mail server is not well');
    inOrganization(db, ref.organizationId, (trx) => recordSendError(trx, ref.sendId, reason)).catch(
      () => undefined,
    );
  }

  #pauseFor(batch: LeasedBatch, reason: string | undefined): void {
    if (reason !== undefined) void this.#pause(batch, reason);
  }

  /** Tried again with the next failure of the send where it fails, for instance because a person holds the campaign. */
  async #pause(batch: LeasedBatch, reason: string): Promise<void> {
    this.#stopBatch(batch);
    const { send } = batch;
    if (send.isPausing) return;
    send.isPausing = true;
    const { db, log } = this.#options;
    const { organizationId, sendId } = send.ref;
    try {
      await inOrganization(db, organizationId, (trx) => pauseOnErrors(trx, sendId, reason.slice(0, 500)));
      send.health.reset();
    } catch (error) {
      log.error({ err: error, send: sendId }, 'send could not be paused');
    } finally {
      send.isPausing = false;
    }
  }

  #checkIdle(): void {
    const isBusy = this.#batches.size > 0 || this.#loop !== undefined || this.#preparing.size > 0;
    if (this.#isStopping && !isBusy) this.#onIdle?.();
  }
}
