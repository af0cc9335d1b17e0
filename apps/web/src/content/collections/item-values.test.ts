import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { changedFields, isSameValue, toFieldValue, toStoredValue } from './item-values.ts';

suite('item values', () => {
  test('controls return stored values unchanged', () => {
    for (const [type, value] of [
      ['string', 'Spring'],
      ['integer', 0],
      ['boolean', false],
      ['boolean', null],
      ['date', '2026-03-31'],
      ['timestamp', '2026-03-31T08:00:00.000Z'],
      ['csv', ['a', 'b']],
      ['json', { a: [1, null] }],
      ['json', 'text'],
      ['json', null],
    ] as const)
      assert.deepEqual(toStoredValue({ type }, toFieldValue({ type }, value as never)), value, type);
  });

  test('empty controls give no value', () => {
    for (const type of ['string', 'integer', 'date', 'json'] as const)
      assert.equal(toStoredValue({ type }, ''), null);
    assert.equal(toStoredValue({ type: 'csv' }, []), null);
    assert.ok(isSameValue(undefined, '') && isSameValue(null, []));
    assert.ok(!isSameValue(0, null) && !isSameValue(false, null));
  });

  test('only changed values are sent', () => {
    const fields = [
      { field: 'title', type: 'string' },
      { field: 'vip', type: 'boolean' },
      { field: 'tags', type: 'csv' },
      { field: 'at', type: 'timestamp' },
    ] as const;
    const before = { title: 'Spring', vip: null, tags: ['a'], at: '2026-03-31T08:00:12.345Z' };
    const values = Object.fromEntries(
      fields.map((each) => [each.field, toFieldValue(each, before[each.field])]),
    );
    // Seconds that no control shows are kept, and an untouched checkbox is no value.
    assert.deepEqual(changedFields(fields, before, values), {});
    assert.deepEqual(changedFields(fields, before, { ...values, title: '', vip: true, tags: [] }), {
      title: null,
      vip: true,
      tags: null,
    });
  });
});
