import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { callAt } from '../../platform/call-at.ts';
import type { Sample } from '../../platform/metrics/metric.ts';
import { Breaker, type TransportBreaker } from './breaker.ts';
import { isThrottle, LanePressure, LaneWindow, slowMs } from './lane-pace.ts';

/** Names shown to users. */
export const providerNames: Record<RecipientGroup, string> = {
  google: 'Google',
  outlook: 'Outlook.com',
  microsoft_365: 'Microsoft 365',
  yahoo: 'Yahoo',
  gmx: 'GMX, web.de',
  t_online: 'T-Online',
  icloud: 'iCloud',
  other: 'The mail server',
};

/** This many lost connections in a row indicate a problem of the mail server, not of the recipients. */
const interruptionsToOpen = 10;

export interface LaneOptions {
  group: RecipientGroup;
  /** Messages that keep the transport busy. */
  capacity: number;
  /** Breaker of the transport, open while the mail server cannot be reached; shared by all lanes. */
  transportBreaker: TransportBreaker;
  waitsMs: readonly number[];
  /** Called when messages may start again. */
  onFree: () => void;
  /** Whether its transport is of an organization. Default false. */
  isOwn?: boolean;
  /** Whether a provider with an API takes the messages: it never refuses for the sake of one. Default false. */
  isOfProvider?: boolean;
}

/** Whether the message is requeued instead of getting its result, and whether to back off. */
export type LaneVerdict = {
  isRequeued: boolean;
  backOff?: BackOff;
  /** The mail server takes nothing for now, and this message was the first to hear it. */
  isRefused?: true;
};

/** A message that is the first to be refused this often may be the cause itself: it counts an attempt, and is deferred. */
const refusalsToCount = 5;

export interface BackOff {
  /** Shown to users and logged. */
  reason: SendError;
  /** True: nothing of this lane starts for a while. False: nothing of the transport. */
  isOfLane: boolean;
}

/** A transport and a recipient group. Throttling by one mail provider does not hold up messages to the others. */
export class Lane {
  readonly group: RecipientGroup;
  /** Maximum messages at the mail server beside other lanes; undefined while no other lane has messages to start. */
  share: number | undefined;
  /** Why the lane waits, or last waited. */
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

  /** Milliseconds until the lane continues; 0 if it is not waiting. */
  get waitMs(): number {
    return Math.max(this.#breaker.leftMs, this.#waitUntil - performance.now(), 0);
  }

  /**
   * Whether it is slow and other lanes have messages: it gets few slots for now, and uses no places of quick sends. One of an
   * organization uses these only while it is known to be quick, because other transports have messages, too.
   */
  get isSlow(): boolean {
    if (this.#options.isOwn !== true) return this.share !== undefined && this.#window.isSlow;
    const { isOpen, isHalfOpen } = this.#options.transportBreaker;
    return !this.#window.isQuick || isOpen || isHalfOpen;
  }

  /** Whether the mail server is known to reply quickly. */
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

  /** Maximum messages of the lane to mark: those in progress, and the next ones. */
  get markLimit(): number {
    return this.share === undefined && this.#window.isKnown ? Infinity : 2 * this.slots;
  }

  start(): void {
    this.#underWay += 1;
  }

  /** Ends a started message that was not handed to the transport. */
  cancel(): void {
    this.#underWay -= 1;
  }

  /** @param refusals  earlier refusals of the message (`isRefused`) */
  end(result: TransportResult, tookMs: number, refusals = 0): LaneVerdict {
    this.#underWay -= 1;
    this.attempts.record(result);
    if (result.outcome === 'withdrawn') return { isRequeued: true };
    if (result.outcome === 'not_sent')
      return this.#away(sendError('mail_server_away', { detail: result.reason }));
    if (result.outcome === 'rejected' && result.isServerBusy === true)
      return this.#refused(`${result.code} ${result.text}`, refusals);
    if (result.outcome === 'interrupted') return this.#interrupted(result.reason);
    if (result.outcome === 'uncertain') return this.#unconfirmed(result, tookMs);
    this.#interruptions = 0;
    this.#window.recordReply(tookMs);
    if (result.outcome === 'accepted') {
      this.#breaker.close();
      this.#options.transportBreaker.close();
    }
    // Results of messages that were in progress when the wait began say nothing new.
    if (this.isWaiting) return { isRequeued: isThrottle(result) };
    // `other` has many providers: one of them must not hold up the rest, so its messages are deferred one by one.
    const waitMs = this.group === 'other' ? undefined : this.#pressure.record(result);
    if (waitMs === undefined || result.outcome !== 'rejected') return { isRequeued: false };
    return { isRequeued: isThrottle(result), backOff: this.#wait(waitMs, `${result.code} ${result.text}`) };
  }

  #away(reason: SendError): LaneVerdict {
    if (!this.#options.transportBreaker.open()) return { isRequeued: true };
    return { isRequeued: true, backOff: { reason, isOfLane: false } };
  }

  #refused(reply: string, refusals: number): LaneVerdict {
    if (refusals + 1 >= refusalsToCount && this.#options.isOfProvider !== true) return { isRequeued: false };
    const verdict = this.#away(sendError('mail_server_busy', { reply }));
    return verdict.backOff === undefined ? verdict : { ...verdict, isRefused: true };
  }

  #unconfirmed({ reason, outage }: TransportResult & { outcome: 'uncertain' }, tookMs: number): LaneVerdict {
    // A connection that was cut is no reply, but one that timed out is as slow as a late reply.
    if (tookMs >= slowMs) this.#window.recordReply(tookMs);
    if (!this.#options.transportBreaker.recordUncertain(outage)) return { isRequeued: false };
    const error = sendError('connections_closed', { detail: reason });
    return { isRequeued: false, backOff: { reason: error, isOfLane: false } };
  }

  #interrupted(reason: string): LaneVerdict {
    this.#interruptions += 1;
    const { isOpen, isHalfOpen } = this.#breaker;
    if (this.#interruptions < interruptionsToOpen && !isHalfOpen && !isOpen) return { isRequeued: false };
    this.#interruptions = 0;
    if (!this.#breaker.open()) return { isRequeued: true };
    this.reason = sendError('connections_closed', { detail: reason });
    // One message per try counts an attempt: the recipient may be the cause after all, and the next try uses another one.
    return { isRequeued: !isHalfOpen, backOff: { reason: this.reason, isOfLane: true } };
  }

  #wait(waitMs: number, reply: string): BackOff {
    this.#window.halve();
    this.#waitUntil = performance.now() + waitMs;
    callAt(this.#waitUntil, this.#options.onFree);
    const minutes = Math.max(1, Math.round(waitMs / 60_000));
    this.reason = sendError('provider_waits', { provider: providerNames[this.group], minutes, reply });
    return { reason: this.reason, isOfLane: true };
  }
}

type Outcome = Exclude<TransportResult['outcome'], 'rejected'>;

/** Counts the transport results of messages by outcome, since the worker started. */
export class AttemptCounts {
  readonly #outcomes: Record<Outcome, number> = {
    accepted: 0,
    not_sent: 0,
    withdrawn: 0,
    interrupted: 0,
    uncertain: 0,
  };
  readonly #rejected: Record<BounceClass, number> = {
    address_hard: 0,
    address_likely: 0,
    domain_hard: 0,
    routing_soft: 0,
    mailbox_full: 0,
    transient: 0,
    expired: 0,
    reputation: 0,
    authentication: 0,
    content: 0,
    too_big: 0,
    protocol: 0,
    unknown: 0,
  };

  record(result: TransportResult): void {
    if (result.outcome === 'rejected') this.#rejected[result.class] += 1;
    else this.#outcomes[result.outcome] += 1;
  }

  toSamples(labels: { transport: string; lane: string }): Sample[] {
    const rejected = Object.entries(this.#rejected);
    return [
      ...Object.entries(this.#outcomes).map(([outcome, value]) => ({
        labels: { ...labels, outcome },
        value,
      })),
      ...rejected.map(([reason, value]) => ({
        labels: { ...labels, outcome: 'rejected', class: reason },
        value,
      })),
    ];
  }
}
