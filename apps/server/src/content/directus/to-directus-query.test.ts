import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCondition } from './to-directus-query.ts';

test('a Directus receives the instants of a rule', () => {
  const filter = {
    _and: [
      { since: { _gte: '2026-03-29T00:00:00+01:00[Europe/Berlin]' } },
      { since: { _between: ['2026-03-28T23:00:00Z', '2026-10-25T02:30:00+02:00[Europe/Berlin]'] } },
      { since: { _gt: '$NOW(-7 days)' }, note: { _icontains: '[Europe/Berlin]' } },
    ],
  };
  assert.deepEqual(toCondition({ filter, search: undefined }).filter, {
    _and: [
      { since: { _gte: '2026-03-28T23:00:00.000Z' } },
      { since: { _between: ['2026-03-28T23:00:00Z', '2026-10-25T00:30:00.000Z'] } },
      { since: { _gt: '$NOW(-7 days)' }, note: { _icontains: '[Europe/Berlin]' } },
    ],
  });
});
