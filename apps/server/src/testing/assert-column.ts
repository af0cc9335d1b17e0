import assert from 'node:assert/strict';

/** Asserts the values of one column of records, in their order. */
export function assertColumn<Row, Column extends keyof Row>(
  rows: readonly Row[] | undefined,
  column: Column,
  expected: readonly (NoInfer<Row>[Column] | undefined)[],
): void {
  assert.deepEqual(
    rows?.map((row) => row[column]),
    expected,
  );
}
