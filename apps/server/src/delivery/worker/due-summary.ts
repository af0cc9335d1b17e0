import type { FoundSend } from '../queue/due-sends.queries.ts';

/** Sends of one list of a look. */
interface DueList {
  count: number;
  /** When the oldest of them was due, `Date.now()`; undefined without one. */
  since: number | undefined;
}

type List = Exclude<FoundSend['work'], 'held'>;

/** How many sends a look found in each of its lists, and since when these wait. */
export function summarize(found: readonly FoundSend[]): Record<List, DueList> {
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
