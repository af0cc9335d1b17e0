import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findOwnerProblems } from './check-table-owners.ts';
import { root } from './run-command.ts';

const types = 'export interface DB {\n  shoes: Shoes;\n  laces: Laces;\n}\n';

/** @returns the problems of a server with only these statements, by file */
async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-owners-'));
  try {
    for (const [path, text] of Object.entries({ ...files, 'platform/database/types.gen.ts': types })) {
      const file = join(directory, path.startsWith('db/') ? path : join('apps/server/src', path));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return findOwnerProblems(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test('each table is written by one module', () => {
  assert.equal(findOwnerProblems(root).join('\n'), '');
});

const owner = { 'shop/shoes/shoe.queries.ts': "trx.insertInto('shoes').values(shoe)" };

for (const [name, text] of Object.entries({
  'a call of the query builder': "trx\n    .updateTable('shoes')\n",
  'a call over two lines': "trx.deleteFrom(\n  'shoes',\n)",
  'an insert': 'sql`\n    with one as (select 1) insert into shoes as s (id) values (1)`',
  'an update': 'sql`update shoes set size = 1`',
  'a delete': 'sql`DELETE FROM public.shoes`',
  'a merge': 'sql`merge into shoes using laces on true`',
  'a quoted name': 'sql`update "shoes" set size = 1`',
  'a quoted schema': 'sql`insert into "public"."shoes" values (1)`',
  'the second table of a truncate': 'sql`truncate only laces, public."shoes"`',
  'a copy': '`copy shoes from stdin`',
  'a list of tables to be erased': "const rows = [deleteRowsOf('shoes')];",
  'a statement of the platform': "export const updateShoe = updateRow('shoes');",
  'the name that a library gets': "session: { modelName: 'shoes' }",
}))
  test(`${name} in a second module is found`, async () => {
    assert.deepEqual(await problemsOf({ ...owner, 'shop/sales/sale.ts': text }), [
      'shoes is written by several modules: shop/sales (apps/server/src/shop/sales/sale.ts); shop/shoes (apps/server/src/shop/shoes/shoe.queries.ts).',
    ]);
  });

test('a computed table name is found', async () => {
  const unread = ['apps/server/src/shop/sales/sale.ts: which table this writes cannot be read.'];
  for (const text of ['trx.deleteFrom(table)', 'sql`update ${sql.table(table)} set size = 1`'])
    assert.deepEqual(await problemsOf({ 'shop/sales/sale.ts': text }), unread);
});

test('a SQL function belongs to the named module', async () => {
  const functionOf = (comment: string) => ({
    ...owner,
    'shop/laces/lace.ts': '',
    'db/functions/shoes.sql': `-- Ties them.\n${comment}create function tie() returns void\n  language sql\nas $$\n  update shoes set tied = true\n$$;\n`,
  });
  assert.deepEqual(await problemsOf(functionOf('-- owner: shop/shoes\n')), []);
  assert.deepEqual(await problemsOf(functionOf('-- owner: shop/laces\n')), [
    'shoes is written by several modules: shop/shoes (apps/server/src/shop/shoes/shoe.queries.ts); shop/laces (tie).',
  ]);
  assert.deepEqual(await problemsOf(functionOf('')), [
    'shoes is written by several modules: shop/shoes (apps/server/src/shop/shoes/shoe.queries.ts); no owner (tie).',
  ]);
});

test('writes of functions, rules and blocks belong to their module', async () => {
  const bodies = {
    'create function tie() returns void\n  language sql begin atomic\n  select case when true then 1 end;\n  update shoes set tied = true;\nend;':
      'tie',
    "create or replace function tie() returns trigger\n  language plpgsql as '\nbegin\n  update shoes set tied = true;\nend';":
      'tie',
    'create rule tying as on update to laces do also update shoes set tied = true;': 'tying',
    'do $body$\nbegin\n  update shoes set tied = true;\nend\n$body$;': 'db/functions/shoes.sql',
    'update shoes set tied = true;': 'db/functions/shoes.sql',
  };
  const problemsWith = (comment: string, body: string) =>
    problemsOf({ ...owner, 'db/functions/shoes.sql': `select 1;\n${comment}${body}\nselect 2;\n` });
  for (const [body, place] of Object.entries(bodies)) {
    assert.deepEqual(await problemsWith('-- owner: shop/shoes\n', body), []);
    assert.deepEqual(await problemsWith('-- Ties them.\n', body), [
      `shoes is written by several modules: shop/shoes (apps/server/src/shop/shoes/shoe.queries.ts); no owner (${place}).`,
    ]);
  }
});

const tie =
  'create function tie_shoes() returns void\n  language sql\nas $$\n  update shoes set tied = true\n$$;\n';

test('a writing function needs an owner', async () => {
  assert.deepEqual(await problemsOf({ 'db/functions/shoes.sql': tie }), [
    'shoes is written by no owner (tie_shoes).',
  ]);
});

test('only the owner of a function calls it', async () => {
  const files = (module: string) => ({
    'shop/shoes/shoe.queries.ts': 'sql`select tie_shoes()`',
    'db/functions/shoes.sql': `-- owner: ${module}\n${tie}`,
  });
  assert.deepEqual(await problemsOf(files('shop/shoes')), []);
  const foreign = (module: string) =>
    `apps/server/src/shop/shoes/shoe.queries.ts calls tie_shoes, which belongs to ${module}.`;
  for (const module of ['shop/boots', 'shop', 'shop/shoes/shoe.queries.ts'])
    assert.deepEqual(await problemsOf(files(module)), [
      `tie_shoes: there is no module ${module}.`,
      foreign(module),
    ]);
  assert.deepEqual(await problemsOf({ ...files('shop/sales'), 'shop/sales/sale.ts': '' }), [
    foreign('shop/sales'),
  ]);
});

test('migrations and reference data have no owner', async () => {
  assert.deepEqual(
    await problemsOf({
      ...owner,
      'db/migrations/0001_shoes.sql': 'update shoes set tied = false;',
      'db/reference/shoes.sql': 'insert into shoes (id) values (1);',
    }),
    [],
  );
  assert.deepEqual(await problemsOf({ 'db/migrations/0001_shoes.sql': tie }), [
    'shoes is written by no owner (tie_shoes).',
  ]);
});

test('reading, locking, comments and tests are ignored', async () => {
  const reads = "sql`select from shoes for update`; on conflict do update set size = 1; 'update laces'\n";
  assert.deepEqual(
    await problemsOf({
      ...owner,
      'shop/sales/sale.ts': `${reads}// delete from shoes\n/** insert into shoes */`,
      'shop/sales/sale.test.ts': "trx.deleteFrom('shoes')",
    }),
    [],
  );
});
