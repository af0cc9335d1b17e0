import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { Places } from './places.ts';
import type { Rates } from './rates.ts';

/** All batches that a worker holds, oldest first, and what they share: places and the in-flight limit. */
export class Batches implements Iterable<Batch> {
  readonly #all = new Set<Batch>();
  /** The batches of single messages among them. */
  readonly #singles = new Set<Batch>();
  readonly places: Places;
  readonly inFlight: InFlightLimit;
  /** Whether due sends found no capacity at the last look; free places are then left to them. */
  isCrowded = false;

  /** @param limit maximum messages without a stored result */
  constructor(limit: number, rates: Pick<Rates, 'markLimit'>) {
    this.places = new Places(this.#all, limit);
    this.inFlight = new InFlightLimit(this.#all, limit, rates);
  }

  [Symbol.iterator](): Iterator<Batch> {
    return this.#all.values();
  }

  /** Batches of single messages, then the others, each oldest first. */
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

  /** @returns all batches of the send, including those leased before it was loaded again, for example after a pause */
  of({ ref }: ActiveSend): Batch[] {
    return [...this.#all].filter((batch) => batch.send.ref.sendId === ref.sendId);
  }

  /** Number of results to be stored. */
  get unstoredCount(): number {
    let count = 0;
    for (const batch of this.#all) count += batch.unstoredCount;
    return count;
  }
}
