import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import {
  isNearlyAll,
  isSenderRejection,
  resultsToJudge,
  senderRejectionsToPause,
} from '../../queue/delivery.ts';

const buildFailuresToPause = 50;

/** Watches the results of one send, and reports when it needs a user to continue. */
export class SendHealth {
  readonly rejections = new RejectionWatch();
  #buildFailures = 0;
  readonly #outages = new RecentOutages();

  /** @returns the reason to pause */
  record(result: TransportResult): SendError | undefined {
    // The mail server did not get the message, which says nothing about the send.
    if (['not_sent', 'withdrawn', 'interrupted'].includes(result.outcome)) return undefined;
    if (result.outcome === 'uncertain' && result.isUnsent === true) return undefined;
    if (result.outcome === 'accepted') this.#outages.recordAccepted();
    const rejected = this.rejections.record(result);
    if (rejected !== undefined) return rejected;
    if (result.outcome === 'uncertain' && this.#outages.recordUncertain(result.outage))
      return sendError('often_unconfirmed', { detail: result.reason });
    return undefined;
  }

  /** @returns the reason to pause */
  recordBuildFailure(): SendError | undefined {
    this.#buildFailures += 1;
    return this.#buildFailures < buildFailuresToPause
      ? undefined
      : sendError('often_not_built', { count: this.#buildFailures });
  }

  recordBuilt(): void {
    this.#buildFailures = 0;
  }

  /** Resets all counters once the send is paused. */
  reset(): void {
    this.rejections.reset();
    this.#buildFailures = 0;
    this.#outages.reset();
  }
}

/**
 * This many outages are compared. One restart of a mail server is one outage, and says nothing: a send only pauses for what
 * repeats.
 */
const outagesToPause = 6;

/**
 * The last outages of the mail server during a send, with what came of its messages. Counts outages and not messages,
 * because a single restart makes as many messages uncertain as there are connections.
 */
export class RecentOutages {
  readonly #outages: { number: number | undefined; uncertain: number; accepted: number }[] = [];

  /**
   * @param outage  undefined: an outage of this message alone
   * @returns whether the last outages made more messages uncertain than were accepted since they began
   */
  recordUncertain(outage: number | undefined): boolean {
    const known = outage === undefined ? undefined : this.#outages.find(({ number }) => number === outage);
    if (known !== undefined) known.uncertain += 1;
    else this.#outages.push({ number: outage, uncertain: 1, accepted: 0 });
    if (this.#outages.length > outagesToPause) this.#outages.shift();
    if (this.#outages.length < outagesToPause) return false;
    let balance = 0;
    for (const { uncertain, accepted } of this.#outages) balance += uncertain - accepted;
    return balance > 0;
  }

  recordAccepted(): void {
    const last = this.#outages.at(-1);
    if (last !== undefined) last.accepted += 1;
  }

  reset(): void {
    this.#outages.length = 0;
  }
}

/** More than half of them pause the send if they are rejections of the sender. */
const recentResults = 50;
/**
 * When the send is paused, bounces among this many results, and as many more as messages were in flight, are no evidence
 * against their addresses: the first rejections of everybody come before or between messages that other connections still
 * deliver.
 */
const doubtfulResults = 100;
/** No more messages than this are started while nearly all are rejected. */
const mostTries = 50;

type Verdict = 'accepted' | 'sender' | 'other';

/**
 * Notices that the mail server rejects a send as a whole: its sender, in wordings that take turns with others, or nearly
 * everybody, as a server does that cannot look up its users. Counts what came since the send was loaded or resumed.
 */
export class RejectionWatch {
  #senderInRow = 0;
  /** The last results, up to twice as many as count: to remove each one that no longer counts would move all others. */
  #last: Verdict[] = [];
  /** `performance.now()` of each of them. */
  #lastAt: number[] = [];
  #rejected = 0;
  #accepted = 0;
  #inFlight = 0;
  #mostInFlight = 0;
  #lastSenderReply = '';
  #doubtfulSince: number | undefined;

  /** Whether another message may start: until messages are accepted, only a few are tried. */
  get hasRoom(): boolean {
    if (!isNearlyAll(this.#rejected, this.#accepted)) return true;
    return this.#inFlight === 0 || this.#inFlight + this.#rejected + this.#accepted < mostTries;
  }

  /** Milliseconds since the first of the doubtful results, as of the first reason to pause. */
  get doubtfulMs(): number {
    return this.#doubtfulSince === undefined ? 0 : performance.now() - this.#doubtfulSince;
  }

  start(): void {
    this.#inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
  }

  end(): void {
    this.#inFlight -= 1;
  }

  /** @returns the reason to pause */
  record(result: TransportResult): SendError | undefined {
    const verdict = toVerdict(result);
    this.#senderInRow = verdict === 'sender' ? this.#senderInRow + 1 : 0;
    if (verdict === undefined) return undefined;
    this.#last.push(verdict);
    this.#lastAt.push(performance.now());
    const counted = doubtfulResults + this.#mostInFlight;
    if (this.#last.length >= 2 * counted) {
      this.#last = this.#last.slice(-counted);
      this.#lastAt = this.#lastAt.slice(-counted);
    }
    if (verdict === 'accepted') this.#accepted += 1;
    else this.#rejected += 1;
    if (result.outcome !== 'rejected') return undefined;
    const reply = `${result.code} ${result.text}`;
    if (verdict === 'sender') this.#lastSenderReply = reply;
    const reason = this.#judge(reply);
    if (reason !== undefined)
      this.#doubtfulSince ??= this.#lastAt.at(-Math.min(counted, this.#lastAt.length));
    return reason;
  }

  /** Begins anew, for example when the send is paused. Messages that are still in flight are not forgotten. */
  reset(): void {
    this.#senderInRow = 0;
    this.#last = [];
    this.#lastAt = [];
    this.#rejected = 0;
    this.#accepted = 0;
    this.#doubtfulSince = undefined;
  }

  #judge(reply: string): SendError | undefined {
    const recent = this.#last.slice(-recentResults);
    const count = recent.length;
    const countOf = (wanted: Verdict) => recent.filter((verdict) => verdict === wanted).length;
    const senders = countOf('sender');
    const rejected = senders + countOf('other');
    const isMostlyRejected = count >= resultsToJudge && isNearlyAll(rejected, count - rejected);
    const isSenderRejected = this.#senderInRow >= senderRejectionsToPause || senders > recentResults / 2;
    if (isSenderRejected || (isMostlyRejected && senders > rejected / 2))
      return sendError('sender_rejected', { reply: this.#lastSenderReply });
    return isMostlyRejected ? sendError('mostly_rejected', { rejected, count, reply }) : undefined;
  }
}

/** @returns undefined for a result that says neither: an uncertain or transient one, or one without a mail server */
function toVerdict(result: TransportResult): Verdict | undefined {
  if (result.outcome === 'accepted') return 'accepted';
  if (result.outcome !== 'rejected' || result.local !== undefined) return undefined;
  if (isSenderRejection(result)) return 'sender';
  const isFinal = result.permanent && result.class !== 'transient' && result.class !== 'mailbox_full';
  return isFinal ? 'other' : undefined;
}
