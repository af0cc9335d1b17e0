/** @returns the sum of each of the keys over all rows, which are counts or amounts in hundredths */
export const addUp = <Key extends string>(
  rows: readonly Readonly<Record<Key, number>>[],
  keys: readonly Key[],
): Record<Key, number> =>
  Object.fromEntries(
    // 0.1 and 0.2 are not 0.3 in binary.
    keys.map((key) => [key, Math.round(rows.reduce((sum, row) => sum + row[key], 0) * 100) / 100]),
  ) as Record<Key, number>;
