import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { fieldTypes, type FieldType } from '@reachout/contract/content-fields.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { insertRows } from '../../sample/rows.ts';
import { insertCollections } from './collections.queries.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { operatorsByType } from '../backend/rule-operators.ts';

const nameOf = (type: FieldType) => `a_${type.toLowerCase()}`;
const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString();

/** Three items have these values in the field of the type, one has null, and one lacks the field. */
const values: Record<FieldType, [unknown, unknown, unknown]> = {
  string: ['Anna', 'anna 50%_b', ''],
  text: ['Anna', 'anna 50%_b', ''],
  csv: [['red', 'Green'], ['blue'], []],
  integer: [-5, 0, 30],
  bigInteger: [-5, 0, 9_007_199_254_740_991],
  float: [-0.5, 0, 1.5e3],
  decimal: ['-0.50', '0', '12345678901234567890.25'],
  boolean: [true, false, true],
  date: ['1999-12-31', '2026-02-28', day(1).slice(0, 10)],
  dateTime: ['1999-12-31T23:59:59', '2026-02-28T08:00:00', day(1).slice(0, 19)],
  timestamp: ['1999-12-31T23:59:59.999Z', '2026-02-28T08:00:00+01:00', day(1)],
  time: ['00:00:00', '08:30', '23:59:59'],
  uuid: [
    '00000000-0000-4000-8000-00000000000a',
    '00000000-0000-4000-8000-00000000000B',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  ],
  json: [{ a: 1 }, [1], 'x'],
};

// The items that a condition selects: 1, 2, 3 have the values above, 4 has null, 5 lacks the field.
type Case = [operator: string, operand: unknown, selected: string];
const always: Case[] = [
  ['_null', true, '45'],
  ['_null', 'true', '45'],
  ['_null', '', '45'],
  ['_null', false, '123'],
  ['_nnull', true, '123'],
  ['_nnull', 'false', '45'],
];
const ofText: Case[] = [
  ['_eq', 'Anna', '1'],
  ['_eq', 'anna', ''],
  ['_eq', null, '45'],
  ['_neq', 'Anna', '23'],
  ['_neq', null, '123'],
  ['_in', ['Anna', 'x'], '1'],
  ['_in', 'x, Anna', '1'],
  ['_in', 'Anna', '1'],
  ['_in', '', ''],
  ['_nin', ['Anna', 'x'], '23'],
  ['_empty', true, '345'],
  ['_empty', false, '12'],
  ['_nempty', true, '12'],
  ['_nempty', false, '345'],
  ['_contains', 'nna', '12'],
  ['_contains', 'A', '1'],
  ['_contains', '%', '2'],
  ['_contains', '_', '2'],
  ['_contains', '\\', ''],
  ['_contains', 50, '2'],
  ['_ncontains', 'A', '23'],
  ['_icontains', 'ANNA', '12'],
  ['_starts_with', 'A', '1'],
  ['_starts_with', '%', ''],
  ['_nstarts_with', 'A', '23'],
  ['_istarts_with', 'A', '12'],
  ['_nistarts_with', 'A', '3'],
  ['_ends_with', 'a', '1'],
  ['_ends_with', '_b', '2'],
  ['_ends_with', 'longer than the value', ''],
  ['_nends_with', 'a', '23'],
  ['_iends_with', 'A', '1'],
  ['_niends_with', 'A', '23'],
];
/** @param low, middle, high  the three values as operands */
const ordered = (low: unknown, middle: unknown, high: unknown): Case[] => [
  ['_eq', middle, '2'],
  ['_eq', null, '45'],
  ['_neq', middle, '13'],
  ['_neq', null, '123'],
  ['_lt', middle, '1'],
  ['_lte', middle, '12'],
  ['_gt', middle, '3'],
  ['_gte', middle, '23'],
  ['_between', [low, middle], '12'],
  ['_between', `${String(low)},${String(middle)}`, '12'],
  ['_nbetween', [low, middle], '3'],
  ['_in', [low, high], '13'],
  ['_nin', [low, high], '2'],
];
const numeric = (low: string, middle: string, high: string): Case[] => [
  ...ordered(low, middle, high),
  ['_lt', '1e1', '12'],
];
const temporal = (type: 'date' | 'dateTime' | 'timestamp'): Case[] => [
  ...ordered(values[type][0], values[type][1], values[type][2]),
  ['_lt', '$NOW', '12'],
  ['_gt', '$NOW', '3'],
  ['_gt', '$NOW(+3 days)', ''],
  ['_between', ['$NOW(-1 hour)', '$NOW(+1 week)'], '3'],
  ['_in', ['$NOW', '1999-12-31T23:59:59.999Z'], '1'],
];

const cases: Record<FieldType, Case[]> = {
  string: ofText,
  text: ofText,
  csv: [
    ['_eq', 'red,Green', '1'],
    ['_neq', 'blue', '13'],
    ['_in', ['blue'], '2'],
    ['_nin', ['blue'], '13'],
    ['_empty', true, '345'],
    ['_nempty', true, '12'],
    ['_contains', 'Gre', '1'],
    ['_ncontains', 'Gre', '23'],
    ['_icontains', 'gre', '1'],
    ['_starts_with', 'red', '1'],
    ['_nstarts_with', 'red', '23'],
    ['_istarts_with', 'RED', '1'],
    ['_nistarts_with', 'RED', '23'],
    ['_ends_with', 'Green', '1'],
    ['_nends_with', 'Green', '23'],
    ['_iends_with', 'green', '1'],
    ['_niends_with', 'green', '23'],
  ],
  integer: [...ordered(-5, 0, 30), ...numeric('-5', '0', '30')],
  bigInteger: [...ordered(-5, 0, '9007199254740991'), ['_lt', 1e21, '123']],
  float: [...ordered(-0.5, 0, 1500), ['_gt', 1e-7, '3']],
  decimal: ordered('-0.5', '0.00', '12345678901234567890.25'),
  boolean: [
    ['_eq', true, '13'],
    ['_eq', 'false', '2'],
    ['_eq', null, '45'],
    ['_neq', true, '2'],
    ['_neq', null, '123'],
  ],
  date: temporal('date').map(([operator, operand, selected]) => [
    operator,
    operand,
    operator === '_in' && JSON.stringify(operand).includes('$NOW') ? '1' : selected,
  ]),
  dateTime: temporal('dateTime'),
  timestamp: [
    ...temporal('timestamp'),
    ['_eq', '2026-02-28T07:00:00Z', '2'],
    ['_contains', '1999-12', '1'],
    ['_ncontains', '1999-12', '23'],
    ['_empty', true, '45'],
    ['_nempty', true, '123'],
  ],
  time: ordered('00:00', '08:30:00', '23:59:59'),
  uuid: [
    ['_eq', '00000000-0000-4000-8000-00000000000B', '2'],
    ['_eq', null, '45'],
    ['_neq', '00000000-0000-4000-8000-00000000000b', '13'],
    ['_neq', null, '123'],
    ['_in', [values.uuid[0], values.uuid[2]], '13'],
    ['_nin', [values.uuid[0], values.uuid[2]], '2'],
  ],
  json: [],
};

suite('filter rules as SQL', () => {
  const fixture = useContentFixture();
  const collection = 'things';

  before(async () => {
    await fixture.inTenant((trx) =>
      insertCollections(trx, fixture.organizationId, [
        {
          collection,
          hidden: false,
          fields: [
            { name: 'mark', type: 'string' },
            ...fieldTypes.map((type) => ({ name: nameOf(type), type })),
          ],
        },
      ]),
    );
    await fixture.withBackend(async (backend) => {
      for (const index of [0, 1, 2] as const) {
        const data = Object.fromEntries(fieldTypes.map((type) => [nameOf(type), values[type][index]]));
        await backend.createItem(collection, { mark: String(index + 1), ...data });
      }
      await backend.createItem(collection, { mark: '4' });
    });
    await insertRows(fixture.owner, 'content_items', {
      organization_id: fixture.organizationId,
      collection,
      id: 'five',
      data: JSON.stringify({ mark: '5' }),
    });
  });

  const select = (filter: unknown, more: Partial<Parameters<ContentBackend['findItems']>[1]> = {}) =>
    fixture.withBackend(async (backend) => {
      const items = await backend.findItems(collection, {
        filter,
        sort: ['mark'],
        limit: 10,
        offset: 0,
        ...more,
      });
      return items.map((item) => item['mark'] as string).join('');
    });

  for (const type of fieldTypes) {
    test(`every operator matches the expected values of ${type}`, async () => {
      for (const [operator, operand, selected] of [...always, ...cases[type]]) {
        const condition = { [nameOf(type)]: { [operator]: operand } };
        assert.equal(await select(condition), selected, JSON.stringify(condition));
      }
      const covered = new Set([...always, ...cases[type]].map(([operator]) => operator));
      assert.deepEqual(
        operatorsByType[type].filter((operator) => !covered.has(operator)),
        [],
        'operators without a case',
      );
    });
  }

  test('rules combine _and, _or, several keys and groups', async () => {
    assert.equal(await select({ _or: [{ a_integer: -5 }, { a_integer: 30 }] }), '13');
    assert.equal(await select({ _and: [{ a_integer: { _gt: -9 } }, { a_boolean: true }] }), '13');
    assert.equal(await select({ a_integer: { _gt: -9, _lt: 10 }, a_boolean: true }), '1');
    assert.equal(await select({ a_integer: { _or: [{ _eq: 0 }, { _null: true }] } }), '245');
    assert.equal(await select({ _or: [{ _and: [{ mark: '1' }, { mark: '2' }] }, { mark: '3' }] }), '3');
  });

  test('a rule of many conditions selects their intersection', async () => {
    const never = Array.from({ length: 20 }, (_, index) => ({ a_string: { _icontains: `none ${index}` } }));
    const some = [
      { a_integer: -5 },
      { a_csv: { _contains: 'blue' } },
      { date_created: { _lt: '$NOW(-1 day)' } },
      { a_string: { _empty: true } },
    ];
    assert.equal(await select({ _or: [...never, ...some] }), '12345');
    assert.equal(await select({ _or: [...never, ...some.slice(0, 3)] }), '12');
    assert.equal(await select({ _or: [...never, { a_text: { _null: true } }] }), '45');
  });

  test('a search finds a part of any text, in any case', async () => {
    const title = 'Äpfel 100%_';
    await fixture.withBackend((backend) => backend.createItem(collection, { mark: '6', a_text: title }));
    assert.equal(await select({}, { search: 'äPFEL' }), '6');
    assert.equal(await select({}, { search: 'ANNA' }), '12');
    assert.equal(await select({}, { search: '100%_' }), '6');
    assert.equal(await select({}, { search: '%' }), '26');
    await sql`delete from content_items where data ->> 'mark' = '6'`.execute(fixture.owner);
  });

  test('a search reads the first 10,000 characters of text (INP-3)', async () => {
    const data = { mark: '6', a_text: `${'x'.repeat(9_996)}near${'x'.repeat(900_000)}far` };
    await sql`
      insert into content_items (organization_id, collection, id, data)
      values (${fixture.organizationId}, ${collection}, 'long', ${JSON.stringify(data)})
    `.execute(fixture.owner);
    await sql`
      insert into content_search_queue (organization_id, collection, item_ids)
      values (${fixture.organizationId}, ${collection}, '{long}')
    `.execute(fixture.owner);
    for (const operator of ['_contains', '_icontains', '_ends_with']) {
      assert.equal(await select({ a_text: { [operator]: 'near' } }), '6');
      assert.equal(await select({ a_text: { [operator]: 'far' } }), '');
    }
    assert.equal(await select({}, { search: 'near' }), '6');
    assert.equal(await select({}, { search: 'far' }), '');
    // Each would take 30 ms without the bound, and PostgreSQL does not cancel within one row.
    const text = { a_text: { _icontains: 'nowhere' } };
    assert.equal(await select({ _or: Array.from({ length: 80 }, () => text) }), '');
    await sql`delete from content_items where id = 'long'`.execute(fixture.owner);
  });

  test('system columns can be filtered like fields', async () => {
    assert.equal(await select({ date_created: { _gt: '$NOW(-1 day)' } }), '12345');
    assert.equal(await select({ date_created: { _lt: '$NOW(-1 day)' } }), '');
    assert.equal(await select({ user_created: { _null: true } }), '12345');
    const [first] = await fixture.withBackend((backend) =>
      backend.findItems(collection, { filter: { mark: '1' }, limit: 1, offset: 0 }),
    );
    assert.equal(await select({ id: { _eq: first?.['id'] } }), '1');
  });

  test('values of a former field type match nothing', async () => {
    await sql`
      insert into content_items (organization_id, collection, id, data) values
        (${fixture.organizationId}, ${collection}, 'old', '{"mark":"6","a_integer":"many","a_decimal":"x","a_csv":"a","a_date":7}')
    `.execute(fixture.owner);
    assert.equal(await select({ a_integer: { _gte: -100 } }), '123');
    assert.equal(await select({ a_decimal: { _gte: -100 } }), '123');
    assert.equal(await select({ a_csv: { _contains: 'a' } }), '');
    await sql`delete from content_items where id = 'old'`.execute(fixture.owner);
  });

  test('null sorts last and ties sort by id', async () => {
    assert.equal(await select({}, { sort: ['a_integer', 'mark'] }), '12345');
    assert.equal(await select({}, { sort: ['-a_integer', '-mark'] }), '54321');
    assert.equal(await select({}, { sort: ['-a_float', 'mark'] }), '45321');
  });

  const malicious = [
    "'",
    "''; drop table content_items; --",
    "' or true --",
    '" or true --',
    '$1',
    '${1}',
    '\\',
    "\\'",
    '%',
    '_',
    '%%%',
    "x' union select 1 --",
    '); delete from content_items; --',
    'pg_sleep(10)',
    '$$; select 1; $$',
    "U&'\\0027'",
    '🙂',
    'ﬁ',
    '\u202e',
  ];
  test('malicious texts are compared as plain text (INP-3)', async () => {
    for (const text of malicious) {
      const condition = JSON.stringify(text);
      for (const operator of ['_eq', '_contains', '_icontains', '_istarts_with', '_ends_with'])
        assert.match(await select({ a_string: { [operator]: text } }), /^2?$/, condition);
      assert.equal(await select({ a_string: { _in: [text, 'Anna'] } }), '1', condition);
      assert.equal(await select({ a_string: { _neq: text } }), '123', condition);
      assert.match(await select({}, { search: text }), /^[1-5]*$/, condition);
      for (const broken of [
        { [text]: 'x' },
        { a_string: { [text]: 'x' } },
        { a_string: { [`_${text}`]: 'x' } },
      ]) {
        await assert.rejects(select(broken), { code: 'invalid_query' }, condition);
      }
      await assert.rejects(select({}, { sort: [text] }), { code: 'invalid_query' }, condition);
    }
    assert.equal(await select({}), '12345');
  });
});
