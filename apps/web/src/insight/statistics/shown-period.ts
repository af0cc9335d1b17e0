import type { Send } from '@reachout/contract/sends.ts';
import type { Period } from './statistics-queries.ts';

const hourMs = 3_600_000;
const firstPeriodMs = 48 * hourMs;
/** The minimum span of a seven-day period, whose last day is not complete. */
const weekMs = 6 * 24 * hourMs;

/** The newest sends of an email. */
interface Sends {
  items: readonly Pick<Send, 'kind' | 'send_date' | 'recipients_total_count'>[];
  count: number;
}

/** The time span of an email's sends, in ms. */
export interface SentAt {
  /** Undefined if it was not sent, or has more sends than were loaded. */
  firstMs?: number;
  /** The latest send; now, if it takes single messages. */
  lastMs?: number;
}

export function findSentAt({ items, count }: Sends, nowMs: number): SentAt {
  const begun = items.filter((send) => send.recipients_total_count > 0);
  if (begun.length === 0) return {};
  const times = begun.map((send) => Date.parse(send.send_date));
  // Single messages may be sent at any time.
  const lastMs = begun.some(({ kind }) => kind === 'triggered') ? nowMs : Math.max(...times);
  return count > items.length ? { lastMs } : { firstMs: Math.min(...times), lastMs };
}

/**
 * The chosen period. Otherwise one with data: all of it for an email first sent in the last two days, the last week if it
 * contains a send, and the beginning for an older email.
 */
export function shownPeriod(
  chosen: Period | undefined,
  { firstMs, lastMs = -Infinity }: SentAt,
  nowMs: number,
): Period {
  if (firstMs === undefined) return chosen === undefined || chosen === 'first' ? '7day' : chosen;
  if (chosen !== undefined) return chosen;
  return nowMs - firstMs >= firstPeriodMs && nowMs - lastMs < weekMs ? '7day' : 'first';
}

/**
 * The period in the format of the API. Within the first hour it is that hour, shown by minutes; afterwards two days, shown
 * by hours. The server omits the future.
 */
export function periodText(period: Period, { firstMs }: SentAt, nowMs: number): string {
  if (period !== 'first' || firstMs === undefined) return period;
  const lengthMs = nowMs - firstMs < hourMs ? hourMs : firstPeriodMs;
  const [start, end] = [firstMs, firstMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return `${start}::${end}`;
}
