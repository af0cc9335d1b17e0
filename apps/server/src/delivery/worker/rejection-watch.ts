import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { isNearlyAll, isSenderRejection } from '../queue/delivery.ts';

/** This many rejections of the sender in a row pause the send, and so does more than half of the last results. */
const senderRejectionsToPause = 20;
const recentResults = 50;
/** With fewer results, it is too early to say that nearly all are rejected. */
const resultsToJudge = 30;
/** No more messages than this are started while nearly all are rejected. */
const mostTries = 50;

type Verdict = 'accepted' | 'sender' | 'other';

/**
 * Notices that the mail server rejects a send as a whole: its sender, in wordings that take turns with others, or nearly
 * everybody, as a server does that cannot look up its users. Counts what came since the send was loaded or resumed.
 */
export class RejectionWatch {
  #senderInRow = 0;
  /** The last results. */
  #recent: { verdict: Verdict; at: number }[] = [];
  #rejected = 0;
  #accepted = 0;
  #inFlight = 0;
  #lastSenderReply = '';

  /** Whether another message may start: until messages are accepted, only a few are tried. */
  get hasRoom(): boolean {
    if (!isNearlyAll(this.#rejected, this.#accepted)) return true;
    return this.#inFlight === 0 || this.#inFlight + this.#rejected + this.#accepted < mostTries;
  }

  /** Milliseconds since the oldest of the recent results. */
  get recentMs(): number {
    return this.#recent[0] === undefined ? 0 : performance.now() - this.#recent[0].at;
  }

  start(): void {
    this.#inFlight += 1;
  }

  end(): void {
    this.#inFlight -= 1;
  }

  /** @returns the reason to pause */
  record(result: TransportResult): SendError | undefined {
    const verdict = toVerdict(result);
    this.#senderInRow = verdict === 'sender' ? this.#senderInRow + 1 : 0;
    if (verdict === undefined) return undefined;
    this.#recent.push({ verdict, at: performance.now() });
    if (this.#recent.length > recentResults) this.#recent.shift();
    if (verdict === 'accepted') this.#accepted += 1;
    else this.#rejected += 1;
    if (result.outcome !== 'rejected') return undefined;
    const reply = `${result.code} ${result.text}`;
    if (verdict === 'sender') this.#lastSenderReply = reply;
    return this.#judge(reply);
  }

  /** Begins anew, for example when the send is paused. Messages that are still in flight are not forgotten. */
  reset(): void {
    this.#senderInRow = 0;
    this.#recent = [];
    this.#rejected = 0;
    this.#accepted = 0;
  }

  #judge(reply: string): SendError | undefined {
    const count = this.#recent.length;
    const senders = this.#countRecent('sender');
    const rejected = senders + this.#countRecent('other');
    const isMostlyRejected = count >= resultsToJudge && isNearlyAll(rejected, count - rejected);
    const isSenderRejected = this.#senderInRow >= senderRejectionsToPause || senders > recentResults / 2;
    if (isSenderRejected || (isMostlyRejected && senders > rejected / 2))
      return sendError('sender_rejected', { reply: this.#lastSenderReply });
    return isMostlyRejected ? sendError('mostly_rejected', { rejected, count, reply }) : undefined;
  }

  #countRecent(wanted: Verdict): number {
    return this.#recent.reduce((count, { verdict }) => count + Number(verdict === wanted), 0);
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
