import type { Send } from '@reachout/contract/sends.ts';
import type { Period } from './statistics-queries.ts';

const hourMs = 3_600_000;
const firstMs = 48 * hourMs;

/** The newest sends of an email. */
interface Sends {
  items: readonly Pick<Send, 'send_date' | 'recipients_total_count'>[];
  count: number;
}

/** When an email was sent for the first time, in ms; undefined when it was not, and for one with many sends. */
export function firstSentAt({ items, count }: Sends): number | undefined {
  if (count > items.length) return undefined;
  const begun = items.filter((send) => send.recipients_total_count > 0);
  return begun.length === 0 ? undefined : Math.min(...begun.map((send) => Date.parse(send.send_date)));
}

/** What is chosen, or else of an email that was sent in the last two days all that there is. */
export function shownPeriod(chosen: Period | undefined, sentAtMs: number | undefined, nowMs: number): Period {
  if (sentAtMs === undefined) return chosen === undefined || chosen === 'first' ? '7day' : chosen;
  return chosen ?? (nowMs - sentAtMs < firstMs ? 'first' : '7day');
}

/**
 * The period as the API reads it. The first hour is drawn by minutes, and after that two days by hours; what has not
 * happened yet is left out by the server.
 */
export function periodText(period: Period, sentAtMs: number | undefined, nowMs: number): string {
  if (period !== 'first' || sentAtMs === undefined) return period;
  const lengthMs = nowMs - sentAtMs < hourMs ? hourMs : firstMs;
  const [start, end] = [sentAtMs, sentAtMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return `${start}::${end}`;
}
