/** @returns the sum of each of the keys over all rows */
export const addUp = <Key extends string>(
  rows: readonly Readonly<Record<Key, number>>[],
  keys: readonly Key[],
): Record<Key, number> =>
  Object.fromEntries(keys.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)])) as Record<
    Key,
    number
  >;
