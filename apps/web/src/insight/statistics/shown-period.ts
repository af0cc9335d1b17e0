import type { Send } from '@reachout/contract/sends.ts';
import type { Period } from './statistics-queries.ts';

const hourMs = 3_600_000;
const firstPeriodMs = 48 * hourMs;
/** As long ago as seven days go back for certain, of which the current one is a part. */
const weekMs = 6 * 24 * hourMs;

/** The newest sends of an email. */
interface Sends {
  items: readonly Pick<Send, 'kind' | 'send_date' | 'recipients_total_count'>[];
  count: number;
}

/** When an email was sent, in ms. */
export interface SentAt {
  /** Undefined when it was not sent, and for one with many sends. */
  firstMs?: number;
  /** Of what goes on sending, now. */
  lastMs?: number;
}

export function findSentAt({ items, count }: Sends, nowMs: number): SentAt {
  const begun = items.filter((send) => send.recipients_total_count > 0);
  if (begun.length === 0) return {};
  const times = begun.map((send) => Date.parse(send.send_date));
  // Single messages may leave at any time.
  const lastMs = begun.some(({ kind }) => kind === 'triggered') ? nowMs : Math.max(...times);
  return count > items.length ? { lastMs } : { firstMs: Math.min(...times), lastMs };
}

/**
 * What is chosen. Or else what has something to show: all that there is of an email that was sent in the last two days, a
 * week of one to which the week has brought a send, and the beginning of an older one.
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
 * The period as the API reads it. The first hour is drawn by minutes, and after that two days by hours; what has not
 * happened yet is left out by the server.
 */
export function periodText(period: Period, { firstMs }: SentAt, nowMs: number): string {
  if (period !== 'first' || firstMs === undefined) return period;
  const lengthMs = nowMs - firstMs < hourMs ? hourMs : firstPeriodMs;
  const [start, end] = [firstMs, firstMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return `${start}::${end}`;
}
