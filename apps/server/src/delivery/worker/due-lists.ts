import type { Database } from '../../platform/database/database.ts';
import { findDueSends, type FoundSend } from '../../queue/due-sends.queries.ts';

/** Summary of one list of a look. */
interface DueList {
  count: number;
  /** `Date.now()` value at which the oldest became due; undefined if there is none. */
  since: number | undefined;
}

type List = Exclude<FoundSend['work'], 'held'>;

/** Maximum sends per list of a look, in addition to those that the worker has loaded. */
const maxPerList = 16;

/** Interval between searches for leases of dead workers, which read more than the other lists. */
const deadWorkersMs = 2_000;

/** Reads which sends are due, and keeps metrics about it. */
export class DueLists {
  readonly #db: Database;
  /** `Date.now()` of the last successful look. */
  lastLookAt: number | undefined;
  /** `performance.now()` of the last look that included leases of dead workers. */
  #lookedForDeadAt = -Infinity;
  looks = 0;
  failedLooks = 0;
  /** Summary of the last look. */
  due = summarize([]);

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param held  ids of sends that the worker has loaded; they are found whether due or not
   * @param toPrepare  maximum number of sends to prepare, and the organization of the last one
   */
  async look(
    held: string[],
    toPrepare: { room: number; preparedFor: string | undefined },
  ): Promise<FoundSend[]> {
    try {
      const ofDeadWorkers = performance.now() - this.#lookedForDeadAt >= deadWorkersMs;
      const options = {
        toPrepare: toPrepare.room,
        preparedFor: toPrepare.preparedFor,
        perList: maxPerList + held.length,
        ofDeadWorkers,
      };
      const found = await findDueSends(this.#db, options, held);
      this.lastLookAt = Date.now();
      if (ofDeadWorkers) this.#lookedForDeadAt = performance.now();
      this.looks += 1;
      this.due = summarize(found);
      return interleave(found);
    } catch (error) {
      this.failedLooks += 1;
      throw error;
    }
  }
}

/** Counts the sends of each list, with the time since which they are due. */
function summarize(found: readonly FoundSend[]): Record<List, DueList> {
  const empty = (): DueList => ({ count: 0, since: undefined });
  const lists: Record<List, DueList> = {
    prepare: empty(),
    single: empty(),
    new: empty(),
    queued: empty(),
    chunk: empty(),
    end: empty(),
    rest: empty(),
  };
  for (const { work, next_due_at } of found) {
    if (work === 'held') continue;
    const list = lists[work];
    list.count += 1;
    if (next_due_at !== null) list.since = Math.min(list.since ?? Infinity, Date.parse(next_due_at));
  }
  return lists;
}

/** Returns the first of each list, then the second ones, and so on, so that a look that ends early has served all lists. */
function interleave(found: readonly FoundSend[]): FoundSend[] {
  const lists = new Map<FoundSend['work'], number>();
  const places = found.map((send) => {
    const place = lists.get(send.work) ?? 0;
    lists.set(send.work, place + 1);
    return { send, place };
  });
  return places.toSorted((one, other) => one.place - other.place).map(({ send }) => send);
}
