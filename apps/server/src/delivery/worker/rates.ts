import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { type RecipientGroup, recipientGroups } from '@reachout/contract/statuses.ts';
import type { SendRates } from '../../platform/config.ts';
import type { ChosenTransport } from '../../email/transports/sender-policy.ts';
import { leaseOfDay, returnOfDay } from '../../outreach/transports/own-transports.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { leaseRateSlice } from '../../queue/rates.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import type { WaitingLane } from '../../queue/schedule-send.queries.ts';
import { leaseWarmUp, releaseWarmUp } from '../../queue/warm-up.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { providerNames } from './lane.ts';
import { RateBucket, type RateBucketOptions } from './rate-bucket.ts';

/** The messages for this time are leased at once. */
const sliceOfMs = 1_000;
/** Daily limits are leased in smaller parts, because the part that a worker holds when it dies is lost for that day. */
const warmUpSlice = 20;
/** Maximum time until a worker notices that the operator changed a plan whose limit was reached. */
const maxWarmUpWaitMs = 5 * 60_000;
/** As for warm-up. The provider is asked again every few minutes (outreach/transports/own-transports.ts). */
const daySlice = 20;
const dayWaitMs = 60_000;

export type RateKind = 'installation' | 'organization' | 'transport' | 'sender_domain' | RecipientGroup;

/** A limit that the operator has set, and how its messages are leased. */
export interface RateLimit {
  /** The same for all messages that share the limit in this worker. */
  id: string;
  kind: RateKind;
  bucket: () => Pick<RateBucketOptions, 'slice' | 'lease' | 'release'>;
}

/** @returns the limits for the messages of a send to a recipient group */
export function limitsOf(
  db: Database,
  rates: SendRates,
  { ref, ownRate, warmUpDomain, own }: ActiveSend,
  group: RecipientGroup,
): RateLimit[] {
  // Those of the installation protect its mail server.
  if (own !== undefined) return [...ofTransport(db, ref, own), ...ofOwnRate(db, ref, ownRate ?? undefined)];
  const ofGroup = rates[group];
  const limits: RateLimit[] = [];
  if (rates.all !== undefined) {
    const error = sendError('rate_of_installation', { perMinute: rates.all });
    limits.push(perMinute(db, 'installation', 'all', rates.all, error));
  }
  if (ofGroup !== undefined)
    limits.push(perMinute(db, group, `group ${group}`, ofGroup, groupLimitReached(group, ofGroup)));
  limits.push(...ofOwnRate(db, ref, ownRate ?? rates.organization));
  if (warmUpDomain !== undefined) limits.push(warmUp(db, warmUpDomain));
  return limits;
}

function ofOwnRate(db: Database, { organizationId }: SendKey, rate: number | undefined): RateLimit[] {
  if (rate === undefined) return [];
  const error = sendError('rate_of_organization', { perMinute: rate });
  return [perMinute(db, 'organization', `organization ${organizationId}`, rate, error)];
}

/** What its provider takes in a minute, and in a day. */
function ofTransport(
  db: Database,
  { organizationId }: SendKey,
  { id, name, version, perSecond, perDay }: ChosenTransport,
): RateLimit[] {
  const limits: RateLimit[] = [];
  if (perSecond !== null) {
    const rate = perSecond * 60;
    const error = sendError('rate_of_transport', { name, perMinute: Math.floor(rate) });
    limits.push(perMinute(db, 'transport', `transport ${id}`, rate, error));
  }
  if (perDay !== null) {
    const error = sendError('day_of_transport', { name, limit: perDay });
    const inTransport = <T>(work: (trx: Transaction) => Promise<T>) =>
      inOrganization(db, organizationId, work);
    const bucket = () => ({
      slice: daySlice,
      lease: async () => ({
        granted: await inTransport((trx) => leaseOfDay(trx, organizationId, id, daySlice)),
        waitMs: dayWaitMs,
        validMs: Infinity,
        error,
      }),
      release: (count: number) => inTransport((trx) => returnOfDay(trx, organizationId, id, count)),
    });
    limits.push({ id: `day of transport ${id} ${version}`, kind: 'transport', bucket });
  }
  return limits;
}

const groupLimitReached = (group: RecipientGroup, rate: number): SendError =>
  group === 'other'
    ? sendError('rate_of_other_providers', { perMinute: rate })
    : sendError('rate_of_provider', { perMinute: rate, provider: providerNames[group] });

/** @param key  key of its row in `send_rates` @param error  shown when the limit is reached */
function perMinute(db: Database, kind: RateKind, key: string, rate: number, error: SendError): RateLimit {
  const bucket = () => {
    const slice = Math.max(1, Math.floor((rate * sliceOfMs) / 60_000));
    const lease = async () => {
      const { isGranted, waitMs } = await leaseRateSlice(db, key, (slice * 60_000) / rate);
      return { granted: isGranted ? slice : 0, waitMs, validMs: Infinity, error };
    };
    return { slice, lease };
  };
  // Sends of one organization may have begun with different rates: each rate has its own tokens, leased from one row.
  return { id: `${key} ${rate}`, kind, bucket };
}

function warmUp(db: Database, domain: string): RateLimit {
  const bucket = () => {
    let day = '';
    const lease = async () => {
      const { granted, limit, leftMs, ...leased } = await leaseWarmUp(db, domain, warmUpSlice);
      ({ day } = leased);
      const error = sendError('warm_up_of_domain', { domain, limit });
      return { granted, waitMs: Math.min(leftMs, maxWarmUpWaitMs), validMs: leftMs, error };
    };
    const release = (count: number) => releaseWarmUp(db, domain, day, count);
    return { slice: warmUpSlice, lease, release };
  };
  return { id: `domain ${domain}`, kind: 'sender_domain', bucket };
}

/**
 * Maximum number of buckets that new sends can share. An evicted bucket only serves the sends that already use it; new sends
 * get another bucket, and both lease from the same limit in the database.
 */
const maxBuckets = 1_000;

/** Up to this wait, batches are kept, because leasing them again is not worth it. */
const shortWaitMs = 1_000;

export interface RatesOptions {
  db: Database;
  rates: SendRates;
  /** Called when messages may start, or their wait is known. */
  onResponse: () => void;
  /** Called after a wait in which nothing was given back, unless other sends were waiting for the place. */
  onShortWait: () => void;
  /** Called after a wait in which messages were given back; they may be leased again. */
  onLongWait: () => void;
}

/** The limits set by the operator: of the installation, an organization, a recipient group, a sender domain. */
export class Rates {
  readonly #options: RatesOptions;
  readonly #buckets = new Map<string, RateBucket>();
  /** How often each kind of limit was reached. */
  readonly reached: Record<RateKind, number> = {
    installation: 0,
    organization: 0,
    transport: 0,
    sender_domain: 0,
    ...(Object.fromEntries(recipientGroups.map((group) => [group, 0])) as Record<RecipientGroup, number>),
  };

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /** Requests more messages from reached limits. @returns the first reached limit; undefined if a message may start */
  findReached(send: ActiveSend, group: RecipientGroup): RateBucket | undefined {
    let reached: RateBucket | undefined;
    // All limits are checked, so that their requests and waits overlap.
    for (const bucket of this.#bucketsOf(send, group)) if (!bucket.hasToken) reached ??= bucket;
    return reached;
  }

  /** Takes a token of each limit for a message that starts. */
  take(send: ActiveSend, group: RecipientGroup): void {
    for (const bucket of this.#bucketsOf(send, group)) bucket.take();
  }

  /** Returns the tokens of a started message that was not sent, and is requeued. */
  refund(send: ActiveSend, group: RecipientGroup): void {
    for (const bucket of this.#bucketsOf(send, group)) bucket.refund();
  }

  /** Maximum messages to mark. */
  markLimit(send: ActiveSend, group: RecipientGroup): number {
    let limit = Infinity;
    for (const { slice } of this.#bucketsOf(send, group)) limit = Math.min(limit, 2 * slice);
    return limit;
  }

  /**
   * Whether messages wait so long that the worker should hold none of them.
   * @param isCrowded  whether other sends are waiting for a place
   */
  isHeldUp(send: ActiveSend, group: RecipientGroup, isCrowded: boolean): boolean {
    const waitMs = this.#findWaiting(send, group)?.waitMs ?? 0;
    return waitMs > (isCrowded ? 0 : shortWaitMs);
  }

  /** Lanes of which a send leases nothing for now. */
  waiting(send: ActiveSend): WaitingLane[] {
    return recipientGroups.flatMap((lane) => {
      const limit = this.#findWaiting(send, lane);
      if (limit === undefined) return [];
      return [{ lane, waitMs: Math.ceil(limit.waitMs), reason: limit.error }];
    });
  }

  /** Releases the rest of daily limits, for other workers and for this one after a restart. */
  async close(): Promise<void> {
    await Promise.all([...this.#buckets.values()].map((bucket) => bucket.close()));
  }

  /** Finds the limit with the longest wait. */
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
