import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromRule, newCondition, newGroup, toRule, type FieldKind } from './rule.ts';

const kinds: Record<string, FieldKind> = { country: 'text', age: 'number', vip: 'boolean', joined: 'date' };
const kindOfField = (field: string) => kinds[field] ?? 'text';

test('no condition selects everybody', () => {
  assert.deepEqual(toRule(newGroup(), kindOfField), {});
});

test('an unfinished condition is left out', () => {
  assert.deepEqual(toRule(newGroup('_and', [newCondition('country', 'text')]), kindOfField), {});
});

test('values get the type of their field', () => {
  const rule = toRule(
    newGroup('_or', [
      { ...newCondition('age', 'number'), operator: '_between', value: '18', upper: '29,5' },
      { ...newCondition('vip', 'boolean'), value: 'true' },
      { ...newCondition('country', 'text'), operator: '_in', value: 'DE, AT ,' },
    ]),
    kindOfField,
  );
  assert.deepEqual(rule, {
    _or: [{ age: { _between: [18, 29.5] } }, { vip: { _eq: true } }, { country: { _in: ['DE', 'AT'] } }],
  });
});

test('what the builder writes it reads again', () => {
  const rule = {
    _and: [
      { country: { _eq: 'DE' } },
      { _or: [{ age: { _gte: 18 } }, { joined: { _null: true } }] },
      { country: { _nin: ['AT', 'CH'] } },
    ],
  };
  const read = fromRule(rule);
  assert.ok(read);
  assert.deepEqual(toRule(read, kindOfField), rule);
});

test('a lone comparison becomes a group of one', () => {
  const read = fromRule({ country: { _eq: 'DE' } });
  assert.equal(read?.members.length, 1);
});

test('what it does not know it does not touch', () => {
  assert.equal(fromRule({ _and: [{ client: { name: { _eq: 'A' } } }] }), undefined);
  assert.equal(fromRule({ country: { _regex: 'x' } }), undefined);
  assert.equal(fromRule({ a: { _eq: 1 }, b: { _eq: 2 } }), undefined);
});
