import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findReadProblems } from './check-foreign-reads.ts';
import { root } from './run-command.ts';

/** @returns the problems of a server where `shop/shoes` owns the table `shoes`, with this statement in another module */
async function problemsOf(statement: string, listed = ''): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-reads-'));
  const files = {
    'apps/server/src/platform/database/types.gen.ts': 'export interface DB {\n  shoes: Shoes;\n}\n',
    'apps/server/src/shop/shoes/shoe.queries.ts':
      "trx.insertInto('shoes').values(shoe); trx.selectFrom('shoes')",
    'apps/server/src/shop/sales/sale.queries.ts': statement,
    'scripts/foreign-reads.txt': listed,
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    return findReadProblems(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test('reads of tables of other modules are listed', () => {
  assert.equal(findReadProblems(root).join('\n'), '');
});

for (const [name, text] of Object.entries({
  'a call of the query builder': "trx.selectFrom('shoes as s')",
  'a join of the query builder': "query.innerJoin('shoes', 'shoes.id', 'id')",
  'a statement': 'sql`select 1 from shoes`',
  'a join in a statement':
    'sql`select 1 from current_brands join lateral x on true left join public.shoes s on true`',
}))
  test(`${name} that reads a foreign table is found`, async () => {
    assert.deepEqual(await problemsOf(text), [
      'shop/sales/sale.queries.ts reads shoes of shop/shoes: use a view or function of its owner.',
    ]);
    assert.deepEqual(await problemsOf(text, 'shop/sales/sale.queries.ts shoes\n'), []);
  });

test('a listed read that is gone is found', async () => {
  assert.deepEqual(
    await problemsOf('sql`select 1 from current_shoes`', 'shop/sales/sale.queries.ts shoes\n'),
    [
      'scripts/foreign-reads.txt lists “shop/sales/sale.queries.ts shoes”, which is gone: run it with --update.',
    ],
  );
});
