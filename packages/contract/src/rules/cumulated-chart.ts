import type { EmailChart } from '../statistics.ts';

type Row = EmailChart['rows'][number];

/** What the chart of an email adds up, in this order. */
export const cumulatedReactions = [
  'clicked',
  'opened',
  'converted',
] as const satisfies readonly (keyof Row)[];
export type CumulatedReaction = (typeof cumulatedReactions)[number];

/** The numbers from the start up to the end of a bucket. */
type CumulatedRow = { at: string } & Record<CumulatedReaction, number>;

/** @param buckets  of a period that starts when the email was sent, so that the last row has the totals */
export function cumulate(buckets: readonly Row[]): CumulatedRow[] {
  const sums = { opened: 0, clicked: 0, converted: 0 };
  return buckets.map((bucket) => {
    for (const key of cumulatedReactions) sums[key] += bucket[key];
    return { at: bucket.at, ...sums };
  });
}

/** Those that occurred at all: a series of zeros says nothing. */
export const occurred = (rows: readonly CumulatedRow[]): CumulatedReaction[] =>
  cumulatedReactions.filter((key) => (rows.at(-1)?.[key] ?? 0) > 0);
