/** @returns the messages whose opens and clicks are measured: rates of opens and clicks are shares of these */
export const measuredOf = ({
  delivered,
  not_measured,
}: {
  delivered: number;
  not_measured: number;
}): number => delivered - not_measured;

/** @returns what the number of a column is a share of */
export const baseOf = (
  column: 'delivered' | 'opened' | 'clicked' | 'converted' | 'unsubscribed',
  results: { delivered: number; not_measured: number },
): number => (column === 'delivered' || column === 'unsubscribed' ? results.delivered : measuredOf(results));
