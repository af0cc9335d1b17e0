import { recipientGroups, type RecipientGroup } from '../../email/recipient-groups/recipient-group.ts';
import type { SendRates } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { leaseRateSlice } from '../queue/rates.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { providerNames } from './lane.ts';
import { RateBucket } from './rate-bucket.ts';

/** Organizations whose buckets are kept; those of others begin anew. */
const maxOrganizations = 1_000;

export interface RatesOptions {
  db: Database;
  rates: SendRates;
  onFree: () => void;
}

type LimitKind = 'installation' | 'organization' | RecipientGroup;

/** The limits that the operator has set: of the installation, of an organization, of a recipient group. */
export class Rates {
  readonly #options: RatesOptions;
  readonly #buckets = new Map<string, RateBucket>();
  /** How often each kind of limit allowed no more. */
  readonly reached: Record<LimitKind, number> = {
    installation: 0,
    organization: 0,
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

  /** Messages that may be marked ahead. */
  markLimit(send: ActiveSend, group: RecipientGroup): number {
    return Math.min(...this.#bucketsOf(send, group).map(({ slice }) => 2 * slice), Infinity);
  }

  #bucketsOf({ ref, ownRate }: ActiveSend, group: RecipientGroup): RateBucket[] {
    const { rates } = this.#options;
    const organization = ownRate ?? rates.organization;
    const buckets: RateBucket[] = [];
    if (rates.all !== undefined) buckets.push(this.#bucket('installation', 'all', rates.all, ''));
    if (rates[group] !== undefined)
      buckets.push(
        this.#bucket(
          group,
          `group ${group}`,
          rates[group],
          group === 'other' ? ' to all other providers' : ` to ${providerNames[group]}`,
        ),
      );
    if (organization !== undefined)
      buckets.push(
        this.#bucket(
          'organization',
          `organization ${ref.organizationId}`,
          organization,
          ' for this organization',
        ),
      );
    return buckets;
  }

  #bucket(kind: LimitKind, key: string, perMinute: number, ofWhat: string): RateBucket {
    // Sends of one organization may have begun with different limits: each limit has its tokens, of one row.
    const id = `${key} ${perMinute}`;
    const known = this.#buckets.get(id);
    if (known !== undefined) return known;
    const { db, onFree } = this.#options;
    const bucket = new RateBucket({
      perMinute,
      description: `Reachout sends at most ${perMinute} ${perMinute === 1 ? 'message' : 'messages'} a minute${ofWhat}. The operator of this installation can change that.`,
      lease: (sliceMs) => leaseRateSlice(db, key, sliceMs),
      onFree,
      onReached: () => (this.reached[kind] += 1),
    });
    this.#buckets.set(id, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxOrganizations + recipientGroups.length && oldest !== undefined)
      this.#buckets.delete(oldest);
    return bucket;
  }
}
