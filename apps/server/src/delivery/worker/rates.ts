import { recipientGroups, type RecipientGroup } from '@reachout/contract/statuses.ts';
import type { SendRates } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WaitingLane } from '../queue/schedule-send.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { RateBucket } from './rate-bucket.ts';
import { limitsOf, type RateKind, type RateLimit } from './rate-limits.ts';

/**
 * Limits whose buckets sends that begin find. An older one is for the sends alone that have it: others ask the database
 * for messages of their own, which all workers share anyway.
 */
const maxBuckets = 1_000;

/** A wait that is not worth another lease. */
const shortWaitMs = 1_000;

export interface RatesOptions {
  db: Database;
  rates: SendRates;
  /** Messages may start, or it is known how long they wait. */
  onResponse: () => void;
  /** A wait is over, for which nothing was given back unless others waited for the place. */
  onShortWait: () => void;
  /** A wait is over, and what was given back may be leased again. */
  onLongWait: () => void;
}

/** The limits that the operator has set: of the installation, an organization, a recipient group, a sender domain. */
export class Rates {
  readonly #options: RatesOptions;
  readonly #buckets = new Map<string, RateBucket>();
  /** How often each kind of limit allowed no more. */
  readonly reached: Record<RateKind, number> = {
    installation: 0,
    organization: 0,
    sender_domain: 0,
    ...(Object.fromEntries(recipientGroups.map((group) => [group, 0])) as Record<RecipientGroup, number>),
  };

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /** @returns the limit that allows no message now, and asks for more; undefined when one may start */
  findReached(send: ActiveSend, group: RecipientGroup): RateBucket | undefined {
    let reached: RateBucket | undefined;
    // Each is asked, so that they wait at the same time.
    for (const bucket of this.#bucketsOf(send, group)) if (!bucket.hasToken) reached ??= bucket;
    return reached;
  }

  /** A message starts. */
  take(send: ActiveSend, group: RecipientGroup): void {
    for (const bucket of this.#bucketsOf(send, group)) bucket.take();
  }

  /** A message that was started did not leave, and goes again. */
  refund(send: ActiveSend, group: RecipientGroup): void {
    for (const bucket of this.#bucketsOf(send, group)) bucket.refund();
  }

  /** Messages that may be marked ahead. */
  markLimit(send: ActiveSend, group: RecipientGroup): number {
    let limit = Infinity;
    for (const { slice } of this.#bucketsOf(send, group)) limit = Math.min(limit, 2 * slice);
    return limit;
  }

  /**
   * Whether messages wait for so long that nothing of them should be held.
   * @param isCrowded  others wait for the place
   */
  isHeldUp(send: ActiveSend, group: RecipientGroup, isCrowded: boolean): boolean {
    const waitMs = this.#findWaiting(send, group)?.waitMs ?? 0;
    return waitMs > (isCrowded ? 0 : shortWaitMs);
  }

  /** Lanes of which a send takes nothing for now. */
  waiting(send: ActiveSend): WaitingLane[] {
    return recipientGroups.flatMap((lane) => {
      const limit = this.#findWaiting(send, lane);
      if (limit === undefined) return [];
      return [{ lane, waitMs: Math.ceil(limit.waitMs), reason: limit.error }];
    });
  }

  /** What is left of a limit of a day is for other workers, and for this one when it starts again. */
  async close(): Promise<void> {
    await Promise.all([...this.#buckets.values()].map((bucket) => bucket.close()));
  }

  /** The one that waits longest. */
  #findWaiting(send: ActiveSend, group: RecipientGroup): RateBucket | undefined {
    let longest: RateBucket | undefined;
    for (const bucket of this.#bucketsOf(send, group))
      if (bucket.waitMs > (longest?.waitMs ?? 0)) longest = bucket;
    return longest;
  }

  #bucketsOf(send: ActiveSend, group: RecipientGroup): RateBucket[] {
    let buckets = send.rateBuckets.get(group);
    if (buckets === undefined) {
      const { db, rates } = this.#options;
      buckets = limitsOf(db, rates, send, group).map((limit) => this.#bucket(limit));
      send.rateBuckets.set(group, buckets);
    }
    return buckets;
  }

  #bucket({ id, kind, bucket: options }: RateLimit): RateBucket {
    const known = this.#buckets.get(id);
    if (known !== undefined) return known;
    const { onResponse, onShortWait, onLongWait } = this.#options;
    const onFree = (waitMs: number) => (waitMs > shortWaitMs ? onLongWait() : onShortWait());
    const onReached = () => (this.reached[kind] += 1);
    const bucket = new RateBucket({ ...options(), onResponse, onFree, onReached });
    this.#buckets.set(id, bucket);
    for (const [oldestId, oldest] of this.#buckets) {
      if (this.#buckets.size <= maxBuckets) break;
      this.#buckets.delete(oldestId);
      void oldest.close();
    }
    return bucket;
  }
}
