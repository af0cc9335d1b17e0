import { LimitExceeded, retryAfter } from '../limit-exceeded.ts';
import type { Requester } from './requester.ts';

/** How much may be kept at once: texts or bodies in memory, and their bytes. */
export interface Share {
  count: number;
  bytes: number;
}

/** A stranger counts by network, a user by person and tenant. */
export const holders = ['person', 'tenant', 'network'] as const;
export type Holder = (typeof holders)[number];
export type Shares = Readonly<Record<Holder | 'all', Share>>;

export interface HoldingsOptions {
  /** What is kept, for the log and the metrics. */
  kind: 'responses' | 'bodies';
  shares: Shares;
  /** Whether a requester whose share is full is refused, or loses what has been open for longest. */
  whenFull: 'refuse' | 'cut_oldest';
  /** Text of the error response. */
  detail: string;
}

/** Something in memory until a peer has sent or taken the rest of it. */
export interface Holding {
  /** @throws LimitExceeded */
  grow: (bytes: number) => void;
  /** It no longer waits for the peer: it does not count, and is not cut off; its bytes stay. */
  settle: () => void;
  release: () => void;
}

export interface Holdings {
  /**
   * @param cutOff  called when it has to make room for others; it is released already
   * @throws LimitExceeded 429 `too_many_requests` if a share of the requester is full; 503 `unavailable` if that of all is
   */
  hold: (requester: Requester, bytes: number, cutOff: () => void, isForced?: boolean) => Holding;
  /** Throws like `hold` if there is no room for anything more. */
  requireRoom: (requester: Requester) => void;
  /** What is kept at the moment. */
  usage: () => Share;
  /** How often each share was full. */
  readonly full: Readonly<Record<Holder | 'all', number>>;
}

interface Entry {
  keys: readonly string[];
  bytes: number;
  isOpen: boolean;
  cutOff: () => void;
}

interface Total extends Share {
  /** The open ones, from the oldest to the newest. */
  open: Set<Entry>;
}

const retryMs = 5_000;

/**
 * Bounds what is kept in memory for peers who may be slow or gone. A share that is empty takes one of any size. If that of
 * all is full, whoever keeps the most gives way, so that nobody who keeps little is refused because of others.
 */
export function createHoldings({ kind, shares, whenFull, detail }: HoldingsOptions): Holdings {
  const totals = new Totals();
  const full = { person: 0, tenant: 0, network: 0, all: 0 };

  const refused = (share: Holder | 'all') =>
    share === 'all'
      ? new LimitExceeded(`unfinished ${kind}`, 'unavailable', retryAfter(retryMs))
      : new LimitExceeded(
          `unfinished ${kind} of one ${share}`,
          'too_many_requests',
          retryAfter(retryMs),
          {},
          detail,
        );

  function makeRoom(entry: Pick<Entry, 'keys'>, added: Share): void {
    for (const key of entry.keys) {
      const share = key.slice(0, key.indexOf(' ')) as Holder;
      while (isFull(totals.get(key), shares[share], added)) {
        full[share] += 1;
        const [oldest] = whenFull === 'refuse' ? [] : (totals.get(key)?.open ?? []);
        if (oldest === undefined || oldest === entry) throw refused(share);
        cut(oldest);
      }
    }
    while (isFull(totals.all, shares.all, added)) {
      full.all += 1;
      const measure = totals.all.bytes + added.bytes > shares.all.bytes ? 'bytes' : 'count';
      const own = Math.max(...entry.keys.map((key) => totals.get(key)?.[measure] ?? 0)) + added[measure];
      const [oldest] = totals.largest(measure)?.open ?? [];
      const largest = Math.max(...(oldest?.keys ?? []).map((key) => totals.get(key)?.[measure] ?? 0), 0);
      if (oldest === undefined || oldest === entry || largest < own) throw refused('all');
      cut(oldest);
    }
  }

  function cut(entry: Entry): void {
    totals.remove(entry);
    entry.cutOff();
  }

  function hold(requester: Requester, bytes: number, cutOff: () => void, isForced = false): Holding {
    const entry: Entry = { keys: keysOf(requester), bytes, isOpen: true, cutOff };
    if (!isForced) makeRoom(entry, { count: 1, bytes });
    totals.add(entry);
    let isReleased = false;
    return {
      grow: (more) => {
        if (isReleased || !entry.isOpen) return;
        makeRoom(entry, { count: 0, bytes: more });
        if (entry.isOpen) totals.grow(entry, more);
      },
      settle: () => totals.settle(entry),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        totals.remove(entry);
      },
    };
  }

  return {
    hold,
    requireRoom: (requester) => {
      for (const key of keysOf(requester)) {
        const share = key.slice(0, key.indexOf(' ')) as Holder;
        if (!isFull(totals.get(key), shares[share], { count: 1, bytes: 1 })) continue;
        full[share] += 1;
        throw refused(share);
      }
    },
    usage: () => ({ count: totals.all.count, bytes: totals.all.bytes }),
    full,
  };
}

/** What each requester keeps, and all of them. */
class Totals {
  readonly all: Total = { count: 0, bytes: 0, open: new Set() };
  readonly #byKey = new Map<string, Total>();

  get(key: string): Total | undefined {
    return this.#byKey.get(key);
  }

  add(entry: Entry): void {
    for (const key of entry.keys)
      if (!this.#byKey.has(key)) this.#byKey.set(key, { count: 0, bytes: 0, open: new Set() });
    for (const total of this.#of(entry)) {
      total.count += 1;
      total.bytes += entry.bytes;
      total.open.add(entry);
    }
  }

  grow(entry: Entry, more: number): void {
    entry.bytes += more;
    for (const total of this.#of(entry)) total.bytes += more;
  }

  settle(entry: Entry): void {
    if (!entry.isOpen) return;
    entry.isOpen = false;
    for (const total of this.#of(entry)) {
      total.count -= 1;
      total.open.delete(entry);
    }
  }

  remove(entry: Entry): void {
    this.settle(entry);
    for (const total of this.#of(entry)) total.bytes -= entry.bytes;
    entry.bytes = 0;
    for (const key of entry.keys) {
      const total = this.#byKey.get(key);
      if (total?.count === 0 && total.bytes === 0) this.#byKey.delete(key);
    }
  }

  /** @returns the total of whoever keeps the most that can be cut off */
  largest(measure: keyof Share): Total | undefined {
    let largest: Total | undefined;
    for (const total of this.#byKey.values())
      if (total.open.size > 0 && total[measure] > (largest?.[measure] ?? 0)) largest = total;
    return largest;
  }

  /** Those of an entry that was removed before may be gone. */
  #of({ keys }: Entry): Total[] {
    return [this.all, ...keys.flatMap((key) => this.#byKey.get(key) ?? [])];
  }
}

const isFull = (total: Share | undefined, share: Share, added: Share): boolean =>
  total !== undefined &&
  (total.count + added.count > share.count ||
    (total.bytes > 0 && added.bytes > 0 && total.bytes + added.bytes > share.bytes));

const keysOf = ({ person, tenant, network }: Requester): string[] =>
  person === undefined
    ? [`network ${network}`]
    : [`person ${person}`, ...(tenant === undefined ? [] : [`tenant ${tenant}`])];
