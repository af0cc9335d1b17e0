import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fieldTypes, type FieldType } from '@reachout/contract/content-fields.ts';
import { InvalidRule } from './invalid-rule.ts';
import { operatorsByType } from './rule-operators.ts';
import { parseRule } from './filter-rule.ts';

const fields = fieldTypes.map((type) => ({ name: `a_${type.toLowerCase()}`, type }));
const nameOf = (type: FieldType) => `a_${type.toLowerCase()}`;

suite('filter rules', () => {
  test('every form of an empty rule selects everything', () => {
    for (const rule of [{}, [], { _and: [] }, { _or: [] }]) {
      assert.deepEqual(parseRule(rule, fields), { kind: 'all', nodes: [] });
    }
  });

  const refused: [what: string, rule: unknown, path: string, reason: RegExp][] = [
    ['a list', [{}], '', /object/],
    ['a text', 'x', '', /object/],
    ['null', null, '', /object/],
    ['_and without a list', { _and: {} }, '_and', /list/],
    ['an entry that is no object', { _or: [1] }, '_or.0', /object/],
    ['an unknown field', { _and: [{ nope: 1 }] }, '_and.0.nope', /no such field/],
    ['a field of the prototype', { constructor: { _eq: 1 } }, 'constructor', /no such field/],
    ['__proto__', JSON.parse('{"__proto__":{"_eq":1}}'), '__proto__', /no operator/],
    ['a field with SQL in its name', { "a'; --": 1 }, "a'; --", /no such field/],
    ['a function', { 'year(a_date)': { _eq: 1990 } }, 'year(a_date)', /Functions/],
    ['a relation', { a_string: { name: { _eq: 'x' } } }, 'a_string.name', /Relations/],
    ['_not', { _not: {} }, '_not', /no operator/],
    ['an unknown operator', { a_string: { _regex: 'x' } }, 'a_string._regex', /no operator _regex/],
    ['an operator of another type', { a_string: { _gt: 'x' } }, 'a_string._gt', /string do not have/],
    ['a field without an operator', { a_string: {} }, 'a_string', /how to compare/],
    ['the short form of null', { a_string: null }, 'a_string', /how to compare/],
    ['an empty text', { a_string: { _eq: '' } }, 'a_string._eq', /_empty/],
    ['an empty list', { a_string: { _in: [] } }, 'a_string._in', /at least one/],
    ['an empty text in a list', { a_string: { _in: ['a', ''] } }, 'a_string._in.1', /_empty/],
    ['null in a list', { a_string: { _in: [null] } }, 'a_string._in.0', /single value/],
    ['an object as value', { a_string: { _eq: {} } }, 'a_string._eq', /single value/],
    ['text for a number', { a_integer: { _eq: 'x' } }, 'a_integer._eq', /integer/],
    ['infinity', { a_float: { _eq: '1e999' } }, 'a_float._eq', /float/],
    ['hexadecimal', { a_integer: { _eq: '0x10' } }, 'a_integer._eq', /integer/],
    ['a day that does not exist', { a_date: { _gt: '2026-02-30' } }, 'a_date._gt', /date/],
    [
      'a time in an unknown zone',
      { a_timestamp: { _gt: '2026-03-29T00:00:00+01:00[Moon/Sea]' } },
      'a_timestamp._gt',
      /timestamp/,
    ],
    [
      'a zone without an offset',
      { a_timestamp: { _gt: '2026-03-29T00:00[Europe/Berlin]' } },
      'a_timestamp._gt',
      /timestamp/,
    ],
    ['no UUID', { a_uuid: { _eq: 'x' } }, 'a_uuid._eq', /uuid/],
    ['no boolean', { a_boolean: { _eq: 'maybe' } }, 'a_boolean._eq', /boolean/],
    ['one value between', { a_integer: { _between: [1] } }, 'a_integer._between', /two values/],
    ['three values between', { a_integer: { _between: '1,2,3' } }, 'a_integer._between', /two values/],
    ['a switch that is none', { a_string: { _null: 3 } }, 'a_string._null', /true or false/],
    ['NUL', { a_string: { _eq: 'a\0b' } }, 'a_string._eq', /characters/],
    ['half a character', { a_string: { _contains: '\ud800' } }, 'a_string._contains', /characters/],
    ['another unit of time', { a_date: { _gt: '$NOW(-1 eon)' } }, 'a_date._gt', /\$NOW/],
    ['SQL as a unit', { a_date: { _gt: "$NOW(1 day' or true)" } }, 'a_date._gt', /\$NOW/],
    ['too long ago', { a_date: { _gt: '$NOW(-1001 years)' } }, 'a_date._gt', /thousand/],
    ['the current user', { a_uuid: { _eq: '$CURRENT_USER' } }, 'a_uuid._eq', /not supported/],
  ];
  for (const [what, rule, path, reason] of refused) {
    test(`${what} is rejected with its path`, () => {
      assert.throws(
        () => parseRule(rule, fields),
        (error) => error instanceof InvalidRule && error.path === path && reason.test(error.reason),
      );
    });
  }

  test('each field type supports exactly its listed operators', () => {
    const all = new Set(Object.values(operatorsByType).flat());
    for (const type of fieldTypes) {
      for (const operator of all) {
        const isRefusedAsForeign = (() => {
          try {
            parseRule({ [nameOf(type)]: { [operator]: Symbol.iterator } }, fields);
            return false;
          } catch (error) {
            return error instanceof InvalidRule && /do not have/.test(error.reason);
          }
        })();
        assert.equal(isRefusedAsForeign, !operatorsByType[type].includes(operator), `${type} ${operator}`);
      }
    }
  });

  test('rules have at most 10 levels (INP-3)', () => {
    const nested = (levels: number): unknown =>
      levels === 1 ? { a_string: 'x' } : { _and: [nested(levels - 1)] };
    parseRule(nested(10), fields);
    assert.throws(() => parseRule(nested(11), fields), /10 levels/);
    const inField = (levels: number): unknown =>
      levels === 1 ? { _eq: 'x' } : { _or: [inField(levels - 1)] };
    parseRule({ a_string: inField(10) }, fields);
    assert.throws(() => parseRule({ a_string: inField(11) }, fields), /10 levels/);
  });

  test("the cost of a rule's conditions is limited (INP-3)", () => {
    const many = (count: number, condition: unknown) => ({
      _or: Array.from({ length: count }, () => condition),
    });
    const isTooHeavy = (error: unknown) => error instanceof InvalidRule && error.isTooHeavy;
    const plain = { a_string: 'x' };
    parseRule(many(249, plain), fields);
    assert.throws(() => parseRule(many(250, plain), fields), isTooHeavy);
    assert.throws(() => parseRule(many(1_000_000, plain), fields), isTooHeavy);
    const text = { a_string: { _icontains: 'x' } };
    parseRule(many(83, text), fields);
    assert.throws(() => parseRule(many(84, text), fields), isTooHeavy);
    const list = { a_string: { _in: Array.from({ length: 10_000 }, String) } };
    parseRule(many(2, list), fields);
    assert.throws(() => parseRule(many(3, list), fields), isTooHeavy);
    parseRule({ a_string: 'x'.repeat(1_000) }, fields);
    assert.throws(() => parseRule({ a_string: 'x'.repeat(1_001) }, fields), /1000 characters/);
  });
});
