import type { Step } from '../platform/database/pipelined.ts';
import { happensOnce, type EventCondition, type MessageEvent } from './event.ts';
import {
  storeBatch,
  storeOnce,
  type CountedEvent,
  type CountIncrement,
  type TotalIncrement,
} from './message-events.queries.ts';

/** Link number that stands for the message as a whole. */
const wholeMessage = -1;
const quarterMs = 15 * 60_000;

/**
 * Makes events of messages of one organization into at most two steps: one counts them, adds them to the totals and stores
 * the first few of each delivery as rows, the other one does the same for events that happen once.
 * @param condition  applies to events that happen once
 */
export function messageSteps(
  organizationId: string,
  events: readonly MessageEvent[],
  condition?: EventCondition,
): Step[] {
  const { once = [], counted = [] } = Object.groupBy(events, (event) =>
    happensOnce(event) ? 'once' : 'counted',
  );
  return [
    ...(counted.length === 0
      ? []
      : [storeBatch(organizationId, sumByKey(counted), countLater(counted), sumByQuarter(counted))]),
    ...(once.length === 0 ? [] : [storeOnce(organizationId, once, condition)]),
  ];
}

/** Until the statement finds that it is the first of its message. */
const isByBot = ({ isBot, isFirstOnly }: MessageEvent): boolean => isBot || isFirstOnly === true;

function sumByKey(events: readonly MessageEvent[]): CountIncrement[] {
  const increments = new Map<string, CountIncrement>();
  const add = (event: MessageEvent, link_no: number) => {
    const key = keyOf(event, link_no);
    let sum = increments.get(key);
    if (sum === undefined) {
      const { sendId: send_id, touchpointId: touchpoint_id, type, seq } = event;
      const nothing = { human_count: 0, bot_count: 0, first_human_at: null, first_only_at: null };
      sum = { send_id, touchpoint_id, type, seq, link_no, ...nothing };
      increments.set(key, sum);
    }
    if (event.isFirstOnly === true) sum.first_only_at ??= event.at;
    if (isByBot(event)) {
      sum.bot_count++;
      return;
    }
    sum.human_count++;
    if (sum.first_human_at === null || event.at < sum.first_human_at) sum.first_human_at = event.at;
  };
  for (const event of events) {
    add(event, wholeMessage);
    if (event.linkNo !== null) add(event, event.linkNo);
  }
  return inOrder(increments);
}

function countLater(events: readonly MessageEvent[]): CountedEvent[] {
  const seen = new Map<string, number>();
  const firsts = new Map<string, MessageEvent>();
  for (const event of events)
    if (event.isFirstOnly === true && !firsts.has(keyOf(event, wholeMessage)))
      firsts.set(keyOf(event, wholeMessage), event);
  return events.toReversed().map((event) => {
    const key = `${keyOf(event, event.linkNo ?? wholeMessage)} ${isByBot(event)}`;
    const later = seen.get(key) ?? 0;
    seen.set(key, later + 1);
    return {
      event,
      later,
      isByBot: isByBot(event),
      mayBeFirst: firsts.get(keyOf(event, wholeMessage)) === event,
    };
  });
}

function sumByQuarter(events: readonly MessageEvent[]): TotalIncrement[] {
  const totals = new Map<string, TotalIncrement>();
  for (const event of events) {
    const { touchpointId: touchpoint_id, sendId: send_id, type, at } = event;
    const quarter = Math.floor(at.getTime() / quarterMs) * quarterMs;
    const key = `${send_id} ${type} ${quarter}`;
    let total = totals.get(key);
    if (total === undefined) {
      total = { touchpoint_id, send_id, type, at: new Date(quarter), human_count: 0, bot_count: 0 };
      totals.set(key, total);
    }
    if (isByBot(event)) total.bot_count++;
    else total.human_count++;
  }
  return [...totals.values()];
}

const keyOf = ({ sendId, type, seq }: MessageEvent, linkNo: number) => `${sendId} ${type} ${seq} ${linkNo}`;

const inOrder = <T>(byKey: ReadonlyMap<string, T>): T[] =>
  [...byKey.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
