import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Lane } from './lane.ts';

/** Batches with messages to start. Sends with nothing under way find a place beside those that are going on. */
const maxOpen = 8;
/** Of these, for sends of which nothing was processed yet: a small one does not wait behind large ones. */
const placesForNew = 2;
/** Of these, for one organization: the others find a place, however many sends it has. */
const maxOpenOfOrganization = maxOpen / 2;
/** Of these, for sends whose messages take long to build: nearly all of the time they wait (slow-builds.ts). */
const maxOpenOfSlowBuilds = 2;
/** As long as so few are open, a send may take its next chunk before the last one is over, and chunks of further lanes. */
const maxOpenToLeaseAhead = 4;
/** Batches with messages to start in a slow lane, each of another organization: they take no places of others. */
const maxOpenOfSlowLane = 2;
/** Most organizations have recipients in this one: more of them go on beside each other. */
const maxOpenOfSlowOther = 4;

/** Says which sends may have one batch more. Single messages need no place. */
export class Places {
  readonly #batches: Iterable<Batch>;
  readonly #inFlightLimit: number;

  constructor(batches: Iterable<Batch>, inFlightLimit: number) {
    this.#batches = batches;
    this.#inFlightLimit = inFlightLimit;
  }

  /**
   * Whether there is a place for a send that has nothing to start. Queued messages need none.
   * @param isNew  nothing of it was processed yet
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
   * One chunk of a send and lane at a time, and the next one when this one is nearly all under way. Messages that take
   * long at the mail server do not keep the next chunk away: only the in-flight limit does.
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

  /** Batches of sends whose messages turned out to take long, beyond their places: the oldest ones stay. */
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
