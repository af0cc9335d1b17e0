import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { AttemptCounts } from './attempt-counts.ts';
import { Breaker } from './breaker.ts';
import { isThrottle, LanePressure } from './lane-pressure.ts';
import { LaneWindow } from './lane-window.ts';
import { providerNames } from './provider-names.ts';

/** So many lost connections in a row, whoever the recipients are, mean that the mail server is not well. */
const interruptionsToOpen = 10;

export interface LaneOptions {
  group: RecipientGroup;
  /** Messages that keep the transport busy. */
  capacity: number;
  /** Of the transport, whose mail server cannot be reached: shared by all lanes. */
  transportBreaker: Breaker;
  waitsMs: readonly number[];
  /** Messages may start again. */
  onFree: () => void;
}

/** What becomes of a message: its result counts, or nothing happened to it and it goes again. */
export type LaneVerdict = { isRequeued: boolean; backOff?: BackOff };

export interface BackOff {
  /** For the screen and the log. */
  reason: SendError;
  /** Nothing of this lane starts for a while; else nothing of the transport. */
  isOfLane: boolean;
}

/** A transport and a recipient group. What one mail provider does to its messages holds up no others. */
export class Lane {
  readonly group: RecipientGroup;
  /** Messages at the mail server beside other lanes, at most; undefined while no other lane has messages to start. */
  share: number | undefined;
  /** Why it waits, or waited last. */
  reason: SendError = sendError('connections_closed', { detail: '' });
  readonly attempts = new AttemptCounts();
  readonly #options: LaneOptions;
  readonly #window: LaneWindow;
  readonly #pressure: LanePressure;
  readonly #breaker: Breaker;
  #underWay = 0;
  #interruptions = 0;
  #waitUntil = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.group = options.group;
    this.#window = new LaneWindow(options.capacity);
    this.#pressure = new LanePressure(options.waitsMs);
    this.#breaker = new Breaker(options.onFree);
  }

  get canStart(): boolean {
    return !this.isWaiting && !this.#options.transportBreaker.isOpen && this.#underWay < this.slots;
  }

  get isWaiting(): boolean {
    return this.waitMs > 0;
  }

  /** Until the lane goes on; 0 when it does not wait. */
  get waitMs(): number {
    return Math.max(this.#breaker.leftMs, this.#waitUntil - performance.now(), 0);
  }

  /** It takes few messages at once for now. */
  get isSlow(): boolean {
    return this.share !== undefined && this.#window.isSlow;
  }

  /** The mail server is known to reply at once. */
  get isQuick(): boolean {
    return this.#window.isQuick;
  }

  /** Messages at the transport. */
  get underWay(): number {
    return this.#underWay;
  }

  get slots(): number {
    return this.#window.slots(this.share);
  }

  /** Messages of the lane that may be marked ahead: those under way, and the next ones. */
  get markLimit(): number {
    return this.share === undefined && this.#window.isKnown ? Infinity : 2 * this.slots;
  }

  start(): void {
    this.#underWay += 1;
  }

  end(result: TransportResult, tookMs: number): LaneVerdict {
    this.#underWay -= 1;
    this.attempts.record(result);
    if (result.outcome === 'withdrawn') return { isRequeued: true };
    if (result.outcome === 'not_sent') return this.#away(result.reason);
    if (result.outcome === 'interrupted') return this.#interrupted(result.reason);
    this.#interruptions = 0;
    this.#window.recordReply(tookMs);
    if (result.outcome === 'accepted') {
      this.#breaker.close();
      this.#options.transportBreaker.close();
    }
    // What was under way when the wait began says nothing new.
    if (this.isWaiting) return { isRequeued: isThrottle(result) };
    // What one of many providers says is no reason to hold up the others; its messages are deferred one by one.
    const waitMs = this.group === 'other' ? undefined : this.#pressure.record(result);
    if (waitMs === undefined || result.outcome !== 'rejected') return { isRequeued: false };
    return { isRequeued: isThrottle(result), backOff: this.#wait(waitMs, `${result.code} ${result.text}`) };
  }

  #away(reason: string): LaneVerdict {
    if (!this.#options.transportBreaker.open()) return { isRequeued: true };
    const error = sendError('mail_server_away', { detail: reason });
    return { isRequeued: true, backOff: { reason: error, isOfLane: false } };
  }

  #interrupted(reason: string): LaneVerdict {
    this.#interruptions += 1;
    const { isOpen, isHalfOpen } = this.#breaker;
    if (this.#interruptions < interruptionsToOpen && !isHalfOpen && !isOpen) return { isRequeued: false };
    this.#interruptions = 0;
    if (!this.#breaker.open()) return { isRequeued: true };
    this.reason = sendError('connections_closed', { detail: reason });
    // One message of each try counts: it may be the recipients, after all, and the next try is another one.
    return { isRequeued: !isHalfOpen, backOff: { reason: this.reason, isOfLane: true } };
  }

  #wait(waitMs: number, reply: string): BackOff {
    this.#window.halve();
    this.#waitUntil = performance.now() + waitMs;
    setTimeout(this.#options.onFree, waitMs + 1).unref();
    const minutes = Math.max(1, Math.round(waitMs / 60_000));
    this.reason = sendError('provider_waits', { provider: providerNames[this.group], minutes, reply });
    return { reason: this.reason, isOfLane: true };
  }
}
