import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromRule, newCondition, newGroup, toRule, type FieldKind } from './rule.ts';

const kinds: Record<string, FieldKind> = { country: 'text', age: 'number', vip: 'boolean', joined: 'date' };
const kindOfField = (field: string) => kinds[field] ?? 'text';

test('an empty rule selects everybody', () => {
  assert.deepEqual(toRule(newGroup(), kindOfField), {});
});

test('unfinished conditions are left out', () => {
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

test('rules of the builder can be read again', () => {
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

test('a single comparison becomes a group', () => {
  const read = fromRule({ country: { _eq: 'DE' } });
  assert.equal(read?.members.length, 1);
});

test('unknown rules are kept unchanged', () => {
  assert.equal(fromRule({ _and: [{ client: { name: { _eq: 'A' } } }] }), undefined);
  assert.equal(fromRule({ country: { _regex: 'x' } }), undefined);
  assert.equal(fromRule({ 'year(joined)': { _gte: 2025 } }), undefined);
  assert.equal(fromRule({ a: { _eq: 1 }, b: { _eq: 2 } }), undefined);
});

test('negative conditions store how empty values match', () => {
  for (const [field, compared, empty] of [
    ['vip', { _eq: false }, '_null'],
    ['country', { _neq: 'DE' }, '_empty'],
    ['country', { _nin: ['DE', 'AT'] }, '_empty'],
    ['age', { _neq: 7 }, '_null'],
    ['age', { _lt: 7 }, '_null'],
  ] as const) {
    const rule = { _and: [{ _or: [{ [field]: compared }, { [field]: { [empty]: true } }] }] };
    const read = fromRule(rule);
    assert.deepEqual(
      read?.members.map((node) => node.kind === 'condition' && node.orEmpty),
      [empty],
    );
    assert.deepEqual(toRule(read, kindOfField), rule);
    const [condition] = read.members;
    assert.ok(condition?.kind === 'condition');
    assert.deepEqual(toRule(newGroup('_and', [{ ...condition, orEmpty: undefined }]), kindOfField), {
      _and: [{ [field]: compared }],
    });
  }
  // Not negative, or of two fields: a group like any other.
  for (const members of [
    [{ country: { _eq: 'DE' } }, { country: { _empty: true } }],
    [{ country: { _neq: 'DE' } }, { city: { _empty: true } }],
  ])
    assert.equal(fromRule({ _and: [{ _or: members }] })?.members[0]?.kind, 'group');
});

test('times keep their zone', () => {
  const rule = { _and: [{ joined: { _gte: '2026-03-29T00:00:00+01:00[Europe/Berlin]' } }] };
  assert.deepEqual(toRule(fromRule(rule)!, kindOfField), rule);
});
