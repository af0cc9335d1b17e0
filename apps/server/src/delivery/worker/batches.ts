import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { Places } from './places.ts';
import type { Rates } from './rates.ts';

/** All batches that a worker holds, the oldest first, and what they share: places and the in-flight limit. */
export class Batches implements Iterable<Batch> {
  readonly #all = new Set<Batch>();
  /** Those of single messages among them. */
  readonly #singles = new Set<Batch>();
  readonly places: Places;
  readonly inFlight: InFlightLimit;
  /** There were due sends at the last look that found no room: what is free is theirs. */
  isCrowded = false;

  /** @param limit most messages without a stored result */
  constructor(limit: number, rates: Pick<Rates, 'markLimit'>) {
    this.places = new Places(this.#all, limit);
    this.inFlight = new InFlightLimit(this.#all, limit, rates);
  }

  [Symbol.iterator](): Iterator<Batch> {
    return this.#all.values();
  }

  /** The oldest first of single messages, and then of the others. */
  singlesFirst(): Iterable<Batch> {
    if (this.#singles.size === 0) return this.#all;
    return [...this.#singles, ...[...this.#all].filter(({ send }) => !send.isSingle)];
  }

  get size(): number {
    return this.#all.size;
  }

  add(batch: Batch): void {
    this.#all.add(batch);
    if (batch.send.isSingle) this.#singles.add(batch);
  }

  delete(batch: Batch): void {
    this.#all.delete(batch);
    this.#singles.delete(batch);
  }

  has(batch: Batch): boolean {
    return this.#all.has(batch);
  }

  /** Also those of an earlier time, before a pause for instance. */
  of({ ref }: ActiveSend): Batch[] {
    return [...this.#all].filter((batch) => batch.send.ref.sendId === ref.sendId);
  }

  /** Results that wait to be stored. */
  get unstoredCount(): number {
    let count = 0;
    for (const batch of this.#all) count += batch.unstoredCount;
    return count;
  }
}
