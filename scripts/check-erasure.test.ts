import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { erasedTables } from '../apps/server/src/operations/retention/erased-tables.ts';
import { findErasureProblems } from './check-erasure.ts';
import { root } from './run-command.ts';

const schema = readFileSync(join(root, 'db/schema.sql'), 'utf8');

const missing = (place: string) =>
  `${place} names what can be erased: no foreign key and no list of erased-tables.ts has it.`;

test('what is erased leaves no rows behind', () => {
  assert.deepEqual(findErasureProblems(schema), []);
});

test('each listed table that no foreign key reaches is needed', () => {
  const withoutOne = (table: string) =>
    findErasureProblems(schema, {
      erasedByHand: [],
      erasedTables: erasedTables.map((rule) => ({
        ...rule,
        tables: rule.tables.filter((name) => name !== table),
      })),
    });
  assert.ok(withoutOne('deliveries').includes(missing('deliveries.send_id')));
  assert.ok(withoutOne('visitor_sessions').includes(missing('visitor_sessions.organization_id')));
});

test('a new table is found, unless its foreign key cascades', () => {
  const tableWith = (constraint: string) =>
    findErasureProblems(
      `${schema}\ncreate table shoes (\n  organization_id uuid not null,\n  send_id uuid,\n${constraint}\n);\n`,
    );
  const organization =
    '  constraint a FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE';
  const send =
    '  constraint b FOREIGN KEY (organization_id, send_id) REFERENCES touchpoint_sends(organization_id, id) ON DELETE CASCADE';
  assert.deepEqual(tableWith(''), [missing('shoes.organization_id'), missing('shoes.send_id')]);
  assert.deepEqual(tableWith(organization), [missing('shoes.send_id')]);
  assert.deepEqual(tableWith(`${organization},\n${send}`), []);
});

test('an entry that is not in the schema is found', () => {
  assert.deepEqual(
    findErasureProblems(schema.replaceAll(/^ {2}goal_id uuid.*\n/gm, '')).filter((line) =>
      line.includes('conversions.'),
    ),
    ['erased-tables.ts lists conversions.goal_id, which is not in the schema.'],
  );
});
