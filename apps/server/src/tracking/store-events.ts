import type { Transaction } from '../platform/database/database.ts';
import type { MessageEvent } from './event.ts';
import {
  addToCounts,
  insertEvents,
  type CountAfter,
  type CountIncrement,
  type TotalIncrement,
} from './events.queries.ts';

/**
 * How many events of one delivery, type and link are kept as rows, of people and of machines each (LNK-5). All are
 * counted.
 */
export const keptEvents = 20;

/** The message as a whole, among the numbers of its links. */
const wholeMessage = -1;
const quarterMs = 15 * 60_000;

/**
 * Counts events of one organization, adds them to the totals, and keeps the first few of each delivery as rows. What
 * belongs together is found here and not by joins: a planner that guesses a batch's size wrong would compare each event
 * with each.
 */
export async function storeEvents(
  trx: Transaction,
  organizationId: string,
  events: readonly MessageEvent[],
): Promise<void> {
  const increments = sumByKey(events);
  const sorted = [...increments.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, increment]) => increment);
  const counts = await addToCounts(trx, organizationId, sorted);

  const totals = new Totals();
  const room = new Map<string, { human: number; automatic: number }>();
  for (const count of counts) {
    const key = keyOf(count.send_id, count.type, count.seq, count.link_no);
    const increment = increments.get(key)!;
    const isFirst = count.human_count === increment.humanCount && increment.firstHumanAt !== null;
    if (count.link_no === wholeMessage && isFirst)
      totals.at(increment, increment.firstHumanAt!).uniqueCount++;
    room.set(key, roomLeft(count, increment));
  }
  const kept: MessageEvent[] = [];
  for (const event of events) {
    const total = totals.at(event, event.at);
    if (event.automatic) total.automaticCount++;
    else total.humanCount++;
    const left = room.get(keyOf(event.sendId, event.type, event.seq, event.linkNo ?? wholeMessage))!;
    if (left[event.automatic ? 'automatic' : 'human']-- > 0) kept.push(event);
  }
  await insertEvents(trx, organizationId, kept, totals.list());
}

function sumByKey(events: readonly MessageEvent[]): Map<string, CountIncrement> {
  const increments = new Map<string, CountIncrement>();
  const add = (event: MessageEvent, linkNo: number) => {
    const { sendId, touchpointId, type, seq, at, automatic } = event;
    const key = keyOf(sendId, type, seq, linkNo);
    let sum = increments.get(key);
    if (sum === undefined) {
      sum = { sendId, touchpointId, type, seq, linkNo, humanCount: 0, automaticCount: 0, firstHumanAt: null };
      increments.set(key, sum);
    }
    if (automatic) {
      sum.automaticCount++;
      return;
    }
    sum.humanCount++;
    if (sum.firstHumanAt === null || at < sum.firstHumanAt) sum.firstHumanAt = at;
  };
  for (const event of events) {
    add(event, wholeMessage);
    if (event.linkNo !== null) add(event, event.linkNo);
  }
  return increments;
}

const keyOf = (sendId: string, type: string, seq: number, linkNo: number) =>
  `${sendId} ${type} ${seq} ${linkNo}`;

/** How many rows may still be kept, by what was counted before this batch. */
const roomLeft = (count: CountAfter, increment: CountIncrement) => ({
  human: keptEvents - (count.human_count - increment.humanCount),
  automatic: keptEvents - (count.automatic_count - increment.automaticCount),
});

class Totals {
  readonly byKey = new Map<string, TotalIncrement>();

  at({ touchpointId, sendId, type }: { touchpointId: string; sendId: string; type: string }, at: Date) {
    const quarter = Math.floor(at.getTime() / quarterMs) * quarterMs;
    const key = `${sendId} ${type} ${quarter}`;
    let total = this.byKey.get(key);
    if (total === undefined) {
      total = {
        touchpointId,
        sendId,
        type,
        at: new Date(quarter),
        uniqueCount: 0,
        humanCount: 0,
        automaticCount: 0,
      };
      this.byKey.set(key, total);
    }
    return total;
  }

  /** In the same order in every process. */
  list(): TotalIncrement[] {
    return [...this.byKey.entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, total]) => total);
  }
}
