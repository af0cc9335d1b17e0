import type { MailTransport, TransportResult } from '../mail/mail-transport.ts';
import { RenderError } from '../mail/email-renderer.ts';
import { inOrganization, type Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { WorkerIdentity } from '../platform/worker-identity.ts';
import { isAboutSender, toOutcome, type Outcome, type Recipient } from './delivery.ts';
import {
  findOpenSends,
  leaseChunk,
  leaseRetries,
  listRecipients,
  releaseRetries,
  storeBounces,
  storeOutcomes,
  type OpenSend,
  type Stored,
} from './delivery.queries.ts';
import { buildMessage, DeliveryRun, type ActiveSend } from './delivery-run.ts';
import { completeSend, settleCancelled } from './end-send.ts';
import { loadActiveSend, prepareSend } from './prepare-send.ts';
import { autoPauseSend, noteTrouble } from './send.queries.ts';

export interface SendWorkerOptions {
  db: Database;
  log: Log;
  identity: Pick<WorkerIdentity, 'id'>;
  transport: MailTransport;
  load: Parameters<typeof loadActiveSend>[1];
  /** Most messages under way without a stored outcome. */
  window: number;
}

/** How often the worker looks for work by itself; announced work is taken at once. */
const pollMs = 1_000;
/** Leases held at once: the chunks of several sends, in turns. */
const maxRuns = 4;
/** A slow mail server must not keep finished messages unaccounted: stored at the latest after this. */
const longestUnstoredMs = 100;
const databaseRetryMs = 500;
/** R7.11: so many in a row pause the send, and a person decides. */
const refusalsToPause = 20;
const renderFailuresToPause = 50;
/** While the mail server cannot be reached: first wait, doubled up to the longest. */
const firstCoolDownMs = 1_000;
const longestCoolDownMs = 60_000;

/**
 * Sends what is to be sent, for all organizations in turns. Every message is marked in the database, committed, before
 * it may leave, and its outcome is stored right after; at most `window` messages are between the two (JOB-2, R7.3).
 */
export class SendWorker {
  readonly #options: SendWorkerOptions;
  readonly #runs = new Set<DeliveryRun>();
  readonly #active = new Map<string, ActiveSend>();
  #slots: number;
  #isPolling = false;
  #pollAgain = false;
  #isStopping = false;
  #coolUntil = 0;
  #coolDownMs = firstCoolDownMs;
  #pollTimer: NodeJS.Timeout;
  #storeTimer: NodeJS.Timeout;
  #onIdle: (() => void) | undefined;

  constructor(options: SendWorkerOptions) {
    this.#options = options;
    this.#slots = options.transport.connections;
    this.#pollTimer = setInterval(() => this.poke(), pollMs);
    this.#storeTimer = setInterval(() => this.#storeAll(), longestUnstoredMs);
    this.poke();
  }

  /** Looks for work now. */
  poke(): void {
    if (this.#isStopping) return;
    if (this.#isPolling) {
      this.#pollAgain = true;
      return;
    }
    this.#isPolling = true;
    void this.#poll()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'send worker could not look for work'),
      )
      .finally(() => {
        this.#isPolling = false;
        if (this.#pollAgain) {
          this.#pollAgain = false;
          this.poke();
        }
      });
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

  async #poll(): Promise<void> {
    const { db, identity, log } = this.#options;
    const sends = await findOpenSends(db, 100);
    const sending = new Set(sends.filter(({ status }) => status === 'sending').map(({ send_id }) => send_id));
    for (const run of this.#runs) {
      // Paused, cancelled, or its organization is suspended.
      if (!sending.has(run.send.ref.sendId)) this.#stopRun(run);
    }
    for (const id of this.#active.keys()) if (!sending.has(id)) this.#active.delete(id);
    for (const send of sends) {
      if (this.#isStopping || identity.id === undefined) return;
      try {
        await this.#serve(send, identity.id);
      } catch (error) {
        log.error({ err: error, send: send.send_id }, 'send could not go on');
      }
    }
    this.#pump();
  }

  async #serve({ organization_id, send_id, status }: OpenSend, workerId: number): Promise<void> {
    const { db, load } = this.#options;
    const ref = { organizationId: organization_id, sendId: send_id };
    if (status === 'cancelled')
      return await inOrganization(db, organization_id, (trx) => settleCancelled(trx, ref));
    if (status !== 'sending' && !(await prepareSend(db, ref))) return;
    let active = this.#active.get(send_id);
    if (active === undefined) {
      active = await loadActiveSend(db, load, ref);
      if (active === undefined) return;
      this.#active.set(send_id, active);
    }
    await this.#lease(active, workerId);
  }

  /** Takes retries that are due and further chunks, as far as there is room. */
  async #lease(send: ActiveSend, workerId: number): Promise<void> {
    if (performance.now() < this.#coolUntil) return;
    const { db } = this.#options;
    const ofSend = [...this.#runs].filter((run) => run.send === send);
    const room = this.#room();
    if (room > 0 && !ofSend.some((run) => run.lease === undefined)) {
      const due = await inOrganization(db, send.ref.organizationId, (trx) =>
        leaseRetries(trx, send.ref, workerId, room),
      );
      if (due.length > 0) this.#add(new DeliveryRun(send, due, undefined));
    }
    const chunks = ofSend.filter((run) => run.lease !== undefined && !run.isStopping);
    // One chunk at a time, and the next one when this one is nearly all under way.
    const wantsChunk =
      chunks.length === 0 || (chunks.length === 1 && chunks[0]!.remaining < this.#options.window);
    if (this.#runs.size < maxRuns && wantsChunk) {
      const run = await this.#leaseChunk(send, workerId);
      if (run !== undefined) this.#add(run);
      else if (ofSend.length === 0)
        await inOrganization(db, send.ref.organizationId, (trx) => completeSend(trx, send.ref));
    }
  }

  async #leaseChunk(send: ActiveSend, workerId: number): Promise<DeliveryRun | undefined> {
    const slice = Math.max(0, Math.floor(this.#share()));
    return await inOrganization(this.#options.db, send.ref.organizationId, async (trx) => {
      const lease = await leaseChunk(trx, send.ref, workerId, slice);
      if (lease === undefined) return undefined;
      const wasLeased = lease.leaseToken > 1;
      const recipients = await listRecipients(trx, send.ref, { ...lease, wasLeased });
      return new DeliveryRun(send, recipients, lease);
    });
  }

  #add(run: DeliveryRun): void {
    run.isStopping = this.#isStopping;
    this.#runs.add(run);
    this.#pump();
    this.#storeIfDue(run);
  }

  /** Room for messages without a stored outcome. */
  #room(): number {
    let open = 0;
    for (const run of this.#runs) open += run.openCount;
    return Math.max(0, this.#options.window - open);
  }

  /** What one run may have of the window: runs that have marked all they have need no more. */
  #share(run?: DeliveryRun): number {
    let others = 0;
    let wanting = run === undefined ? 1 : 0;
    for (const each of this.#runs) {
      if (each.wantsMore) wanting += 1;
      else if (each !== run) others += each.openCount;
    }
    const fair = (this.#options.window - others) / Math.max(1, wanting) - (run?.openCount ?? 0);
    return Math.min(fair, this.#room());
  }

  /** Starts messages while there are free connections, one of each run in turns. */
  #pump(): void {
    if (performance.now() < this.#coolUntil) return;
    let hasStarted = true;
    while (this.#slots > 0 && hasStarted) {
      hasStarted = false;
      for (const run of this.#runs) {
        if (this.#slots === 0) break;
        const recipient = run.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(run, recipient);
      }
    }
    // What is suppressed, or could not be built, ends without a connection.
    for (const run of this.#runs) this.#storeIfDue(run);
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
    try {
      message = buildMessage(run.send, recipient);
    } catch (error) {
      if (!(error instanceof RenderError))
        this.#options.log.error({ err: error, send: run.send.ref.sendId }, 'message could not be built');
      finish(
        { kind: 'final', state: 'failed', suppress: false },
        error instanceof RenderError ? error.message : 'The message could not be built.',
      );
      run.send.renderFailures += 1;
      if (run.send.renderFailures === renderFailuresToPause)
        this.#pause(
          run,
          'Many messages in a row could not be built. The last reason: ' + (error as Error).message,
        );
      return;
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
    this.#storeIfDue(run);
    this.#pump();
  }

  /** Stores when half the window waits, when nothing can start without it, or when the run is over. */
  #storeIfDue(run: DeliveryRun): void {
    if (run.isStoring || !this.#runs.has(run)) return;
    const isDue =
      run.isOver ||
      run.outcomeCount >= this.#options.window / 2 ||
      (run.isStarved && run.outcomeCount + Math.floor(this.#share(run)) >= Math.min(8, run.remaining));
    if (isDue) void this.#store(run);
  }

  #storeAll(): void {
    for (const run of this.#runs) {
      const isWaiting = run.outcomeCount > 0 || run.isOver || (run.isStarved && this.#share(run) >= 1);
      if (!run.isStoring && isWaiting) void this.#store(run);
    }
  }

  async #store(run: DeliveryRun): Promise<void> {
    run.isStoring = true;
    // What is stored now makes room for as much.
    const taken = run.takeForStore(Math.max(0, Math.floor(this.#share(run) + run.outcomeCount)));
    try {
      const { ref } = run.send;
      const stored = await inOrganization(this.#options.db, ref.organizationId, async (trx) => {
        const result = await storeOutcomes(trx, ref, taken.outcomes, taken.progress);
        const bounced = taken.outcomes.filter(
          ({ result: end }) => end.kind === 'final' && end.state === 'bounced',
        );
        if (bounced.length > 0)
          await storeBounces(
            trx,
            ref,
            bounced.map((outcome) => toBounce(outcome, run)),
          );
        return result;
      });
      run.stored(taken);
      this.#afterStore(run, stored, taken.progress?.release !== undefined);
    } catch (error) {
      run.notStored(taken);
      this.#options.log.warn({ err: error }, 'outcomes could not be stored yet');
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs));
    } finally {
      run.isStoring = false;
      if (this.#runs.has(run)) this.#storeIfDue(run);
      this.#pump();
      this.#checkIdle();
    }
  }

  #afterStore(run: DeliveryRun, stored: Stored, isReleased: boolean): void {
    if (!stored.holdsLease || stored.status !== 'sending') run.isStopping = true;
    for (const address of stored.newlySuppressed) run.suppressed.add(address);
    const isEmpty = run.isOver && run.outcomeCount === 0;
    if (isReleased || (isEmpty && (run.lease === undefined || !stored.holdsLease))) void this.#end(run);
    else if (run.remaining < this.#options.window && this.#hasOneChunk(run.send)) this.poke();
  }

  #hasOneChunk(send: ActiveSend): boolean {
    let chunks = 0;
    for (const run of this.#runs) if (run.send === send && run.lease !== undefined) chunks += 1;
    return chunks === 1;
  }

  async #end(run: DeliveryRun): Promise<void> {
    this.#runs.delete(run);
    const { db, identity } = this.#options;
    const { ref } = run.send;
    const unstarted = run.lease === undefined ? run.unstarted() : [];
    if (unstarted.length > 0 && identity.id !== undefined) {
      const workerId = identity.id;
      await inOrganization(db, ref.organizationId, (trx) =>
        releaseRetries(trx, ref, workerId, unstarted),
      ).catch(() => undefined);
    }
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
      noteTrouble(trx, ref.sendId, `The mail server cannot be reached and is tried again: ${reason}`),
    ).catch(() => undefined);
    setTimeout(() => this.#pump(), this.#coolUntil - now + 1).unref();
  }

  #pause(run: DeliveryRun, reason: string): void {
    this.#stopRun(run);
    const { db, log } = this.#options;
    const { ref } = run.send;
    inOrganization(db, ref.organizationId, (trx) =>
      autoPauseSend(trx, ref.sendId, reason.slice(0, 500)),
    ).catch((error: unknown) => log.error({ err: error, send: ref.sendId }, 'send could not be paused'));
  }

  #checkIdle(): void {
    if (this.#isStopping && this.#runs.size === 0) this.#onIdle?.();
  }
}

function toBounce({ seq, at, result }: Outcome, run: DeliveryRun) {
  const suppress = result.kind === 'final' && result.suppress;
  return {
    id: newId(),
    seq,
    at,
    suppressionId: suppress ? newId() : undefined,
    addressKey: run.addressOf(seq).toLowerCase(),
  };
}
