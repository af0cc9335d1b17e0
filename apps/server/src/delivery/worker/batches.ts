import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import type { Lane } from './lane.ts';
import type { Rates } from './rates.ts';

/** All batches that a worker holds, oldest first, and what they share: places and the in-flight limit. */
export class Batches implements Iterable<Batch> {
  readonly #all = new Set<Batch>();
  /** The batches of single messages among them. */
  readonly #singles = new Set<Batch>();
  /** By whether their transport is of an organization. */
  readonly #byOwner = { own: new Set<Batch>(), installation: new Set<Batch>() };
  readonly places: Places;
  /** Of the transports of the installation, and of those of organizations, which have as many slots again. */
  readonly inFlight: InFlightLimit;
  readonly inFlightOfOwn: InFlightLimit;
  /** Whether due sends found no capacity at the last look; free places are then left to them. */
  isCrowded = false;

  /** @param limit maximum messages without a stored result, of transports of either kind */
  constructor(limit: number, rates: Pick<Rates, 'markLimit'>) {
    this.places = new Places(this.#all, limit);
    this.inFlight = new InFlightLimit(this.#byOwner.installation, limit, rates);
    this.inFlightOfOwn = new InFlightLimit(this.#byOwner.own, limit, rates);
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

  /** @param send  undefined if it is not loaded, so that its transport is not known */
  inFlightOf(send: Pick<ActiveSend, 'transport'> | undefined): InFlightLimit {
    return send?.transport.isOwn === true ? this.inFlightOfOwn : this.inFlight;
  }

  add(batch: Batch): void {
    this.#all.add(batch);
    this.#byOwner[ownerOf(batch)].add(batch);
    if (batch.send.isSingle) this.#singles.add(batch);
  }

  delete(batch: Batch): void {
    this.#all.delete(batch);
    this.#byOwner[ownerOf(batch)].delete(batch);
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

const ownerOf = ({ send }: Batch) => (send.transport.isOwn ? 'own' : 'installation');

/** Maximum batches with messages to start. Sends with nothing in progress find a place beside running ones. */
const maxOpen = 8;
/** Places reserved for sends of which nothing was processed yet, so that a small one does not wait behind large ones. */
const placesForNew = 2;
/** Maximum places of one organization, so that others find a place however many sends it has. */
const maxOpenOfOrganization = maxOpen / 2;
/** Maximum places of sends whose messages take long to build: they wait nearly all of the time (message-builder.ts). */
const maxOpenOfSlowBuilds = 2;
/** While fewer batches are open, a send may lease its next chunk before the last one ends, and chunks of further lanes. */
const maxOpenToLeaseAhead = 4;
/** Maximum batches with messages to start in a slow lane, one per organization; they do not use the places above. */
const maxOpenOfSlowLane = 2;
/** The same for the lane `other`: it is higher because most organizations have recipients there. */
const maxOpenOfSlowOther = 4;

/** Decides which sends may have another batch. Single messages need no place. */
export class Places {
  readonly #batches: Iterable<Batch>;
  readonly #inFlightLimit: number;

  constructor(batches: Iterable<Batch>, inFlightLimit: number) {
    this.#batches = batches;
    this.#inFlightLimit = inFlightLimit;
  }

  /**
   * Whether there is a place for a send that has nothing to start. Queued messages need none.
   * @param isNew  whether nothing of it was processed yet
   */
  hasOneFor({ ref, slowness }: Pick<ActiveSend, 'ref' | 'slowness'>, isNew: boolean): boolean {
    const open = this.#open((batch) => !batch.lane.isSlow);
    const chunks = open.filter((batch) => batch.lease !== undefined);
    const ofOrganization = chunks.filter((batch) => batch.send.ref.organizationId === ref.organizationId);
    return (
      chunks.length < (isNew ? maxOpen : maxOpen - placesForNew) &&
      ofOrganization.length < maxOpenOfOrganization &&
      (slowness === 0 || open.filter(isSlowToBuild).length < maxOpenOfSlowBuilds)
    );
  }

  /**
   * A send has one chunk per lane at a time, and gets the next one when nearly all of it is in progress. Messages that take
   * long at the mail server do not delay the next chunk: only the in-flight limit does.
   */
  needsNextChunk(send: ActiveSend, lane: Lane): boolean {
    const { organizationId, sendId } = send.ref;
    const ofSend = this.#open((batch) => batch.send.ref.sendId === sendId && batch.lease !== undefined);
    const ofLane = ofSend.filter((batch) => batch.lane === lane);
    if (lane.isSlow) {
      const open = this.#open((batch) => batch.lane === lane);
      return (
        open.length < (lane.group === 'other' ? maxOpenOfSlowOther : maxOpenOfSlowLane) &&
        !open.some((batch) => batch.send.ref.organizationId === organizationId)
      );
    }
    if (!this.hasOneFor(send, !send.hasLeased)) return false;
    if (ofSend.length === 0) return true;
    const isQuiet = this.#open((batch) => !batch.lane.isSlow).length < maxOpenToLeaseAhead;
    if (ofLane.length === 0) return isQuiet;
    return (
      isQuiet && send.slowness === 0 && ofLane.length === 1 && ofLane[0]!.remaining < this.#inFlightLimit
    );
  }

  /** @returns batches that exceed the places of sends with slow builds; the oldest ones keep their place */
  beyondSlowBuilds(): Batch[] {
    return this.#open((batch) => !batch.lane.isSlow && isSlowToBuild(batch)).slice(maxOpenOfSlowBuilds);
  }

  #open(isCounted: (batch: Batch) => boolean): Batch[] {
    const open: Batch[] = [];
    for (const batch of this.#batches)
      if (batch.isOpen && !batch.send.isSingle && isCounted(batch)) open.push(batch);
    return open;
  }
}

const isSlowToBuild = ({ send }: Batch): boolean => send.slowness > 0;
