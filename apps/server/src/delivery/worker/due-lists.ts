import type { Database } from '../../platform/database/database.ts';
import { findDueSends, type FoundSend } from '../queue/due-sends.queries.ts';

/** Sends of one list of a look. */
interface DueList {
  count: number;
  /** When the oldest of them was due, `Date.now()`; undefined without one. */
  since: number | undefined;
}

type List = Exclude<FoundSend['work'], 'held'>;

/** Sends of each list of a look, beside those that the worker has. */
const maxPerList = 16;

/** How often what dead workers hold is looked for: that reads more than the other lists do. */
const deadWorkersMs = 2_000;

/** Reads which sends are due, and has figures about it. */
export class DueLists {
  readonly #db: Database;
  /** `Date.now()` of the last look that found the database. */
  lastLookAt: number | undefined;
  /** `performance.now()` of the last look that also found what dead workers hold. */
  #lookedForDeadAt = -Infinity;
  looks = 0;
  failedLooks = 0;
  /** What the last look found. */
  due = summarize([]);

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param held  ids of sends that the worker has, which are found whether they are due or not
   * @param toPrepare  how many to be prepared are worth a look
   */
  async look(held: string[], toPrepare: number): Promise<FoundSend[]> {
    try {
      const ofDeadWorkers = performance.now() - this.#lookedForDeadAt >= deadWorkersMs;
      const options = { toPrepare, perList: maxPerList + held.length, ofDeadWorkers };
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

/** How many sends a look found in each of its lists, and since when these wait. */
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

/** The first of each list, then the second ones, and so on: a look that ends early has come to all lists. */
function interleave(found: readonly FoundSend[]): FoundSend[] {
  const lists = new Map<FoundSend['work'], number>();
  const places = found.map((send) => {
    const place = lists.get(send.work) ?? 0;
    lists.set(send.work, place + 1);
    return { send, place };
  });
  return places.toSorted((one, other) => one.place - other.place).map(({ send }) => send);
}
