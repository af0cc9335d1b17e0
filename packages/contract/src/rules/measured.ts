/** @returns the messages whose opens and clicks are measured: rates of opens and clicks are shares of these */
export const measuredOf = ({
  delivered,
  not_measured,
}: {
  delivered: number;
  not_measured: number;
}): number => delivered - not_measured;
