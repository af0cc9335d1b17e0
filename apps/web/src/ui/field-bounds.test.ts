import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readInputBounds, type FieldBounds } from '@reachout/contract/input-bounds.ts';
import { contract } from '@reachout/contract/router.ts';
import { boundsCall } from '../../contract-bounds.ts';
import { isNumberWithin } from './field-values.ts';

const directory = join(import.meta.dirname, '..');
const used = new Set(
  globSync('**/*.{ts,tsx}', { cwd: directory })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('bounds-of.ts'))
    .flatMap((file) => [...readFileSync(join(directory, file), 'utf8').matchAll(boundsCall)])
    .map(([, name]) => name!),
);

test('forms take their bounds from the contract', () => assert.ok(used.size > 1));

for (const name of used)
  test(`the bounds of ${name} are those of its schema`, () => {
    const operation = name
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], contract) as Operation;
    const { inputSchema, route } = operation['~orpc'];
    const fields = Object.entries(readInputBounds(contract, name));
    assert.ok(fields.length > 0);
    for (const [field, bounds] of fields)
      compare(`${name}: ${field}`, bounds, inputSchema.shape[field]!, route.method === 'PATCH');
  });

interface Operation {
  '~orpc': { inputSchema: { shape: Record<string, Schema> }; route: { method: string } };
}

interface Schema {
  safeParse: (value: unknown) => { success: boolean };
}

function compare(what: string, bounds: FieldBounds, schema: Schema, isChange: boolean): void {
  const accepts = (value: unknown) => schema.safeParse(value).success;
  const says = (isAccepted: boolean, value: unknown, why: string) =>
    assert.equal(accepts(value), isAccepted, `${what}: ${why}`);
  says(bounds.nullable === true, null, 'null');
  const { type, required = false, nullable = false, omitted = false, max, min, format, choices } = bounds;
  if (omitted && !isChange) says(true, undefined, 'left out');
  if (type === 'text' && !nullable && !omitted) says(!required, '', 'an empty text');
  if (type === 'list' && !nullable) says(!required, [], 'an empty list');
  for (const choice of choices ?? []) says(true, choice, choice);
  if (choices) says(false, `${choices.join('')}x`, 'no choice');
  if (type === 'number') {
    for (const edge of [min, max].filter((value) => value !== undefined)) {
      for (const near of [edge - 1, edge - 0.001, edge, edge + 0.001, edge + 1])
        says(isNumberWithin(near, bounds), near, String(near));
    }
  }
  if (type === 'text' && max !== undefined) {
    if (accepts('x')) says(true, 'x'.repeat(max), 'the longest text');
    says(false, 'x'.repeat(max + 1), 'a longer text');
  }
  const sample = format && samples[format];
  if (sample) {
    says(true, sample.good, sample.good);
    says(false, sample.bad, sample.bad);
  }
}

const samples: Partial<Record<NonNullable<FieldBounds['format']>, { good: string; bad: string }>> = {
  email: { good: 'mina@people.example', bad: 'mina@people' },
  phone: { good: '+49 30 901820', bad: '12' },
  'web-address': { good: 'https://people.example/a', bad: 'ftp://people.example' },
  'time-of-day': { good: '08:30', bad: '24:00' },
  'time-zone': { good: 'Europe/Berlin', bad: 'Europe/Nowhere' },
  country: { good: 'DE', bad: 'Germany' },
  password: { good: ' a b ', bad: 'a\u0000b' },
  'multi-line': { good: 'one\ntwo', bad: 'one\u0000two' },
};
