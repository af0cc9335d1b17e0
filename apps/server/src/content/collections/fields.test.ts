import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Collection, Item } from '@reachout/contract/content.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { rowsOf, inOrganization } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { useWorld } from '../../testing/world.ts';
import { handleFieldRemovals } from '../built-in/field-removal-jobs.ts';
import { lockFields } from '../built-in/fields.queries.ts';

suite('fields of a collection', () => {
  const app = useTestApp();
  const { owner, organizationId, base } = useWorld(app);

  const ask = <T = Problem>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    owner.request<T>(method, `${base}${path}`, body);
  const make = async (name: string, fields: object[]): Promise<string> => {
    const { body, status } = await ask<Collection>('POST', '/collections', { name, fields });
    assert.equal(status, 200, JSON.stringify(body));
    return body.collection;
  };
  const add = async (collection: string, ...items: Item[]): Promise<void> => {
    for (const data of items)
      assert.equal((await ask('POST', `/items/${collection}`, data)).status, 200, JSON.stringify(data));
  };
  const valuesOf = async (collection: string, field: string) => {
    const { body } = await ask<{ data: Item[] }>('GET', `/items/${collection}?sort=date_created`);
    return body.data.map((item) => item[field]);
  };
  const change = (collection: string, field: string, changes: object) =>
    ask('PATCH', `/fields/${collection}/${field}`, changes);

  test('fields are created in order and validate their values', async () => {
    const collection = await make('Trade fairs 2026', [
      { field: 'title', type: 'string', label: 'Title', required: true, sort: 1 },
      {
        field: 'kind',
        type: 'string',
        interface: 'select',
        choices: ['small', 'large'],
        default_value: 'small',
      },
      { field: 'contact', type: 'string', interface: 'email' },
      { field: 'picture', type: 'string', interface: 'image' },
      { field: 'topics', type: 'csv', interface: 'tags' },
      { field: 'secret', type: 'json', hidden: true },
    ]);
    assert.equal(collection, 'trade_fairs_2026');
    const { body: shown } = await ask<{ data: Field[] }>('GET', `/fields/${collection}`);
    assert.ok(!shown.data.some(({ field }) => field === 'secret'));
    const { body: all } = await ask<{ data: Field[] }>('GET', `/fields/${collection}?hidden=true`);
    assert.ok(all.data.some(({ field }) => field === 'secret'));
    const kind = all.data.find(({ field }) => field === 'kind');
    assert.deepEqual([kind?.choices, kind?.default_value], [['small', 'large'], 'small']);

    await add(collection, { title: 'Good', contact: 'ada@x.example', topics: ['a'] });
    assert.deepEqual(await valuesOf(collection, 'kind'), ['small']);
    for (const data of [
      { title: 'Bad', kind: 'huge' },
      { title: 'Bad', contact: 'nobody' },
      { title: 'Bad', picture: 'javascript:alert(1)' },
      { title: 'Bad', topics: 'a' },
    ]) {
      assertProblem(await ask('POST', `/items/${collection}`, data), 422, 'validation_failed');
    }
  });

  test('inconsistent field settings are rejected', async () => {
    const collection = await make('Settings', [{ field: 'title', type: 'string' }]);
    for (const [field, path] of [
      [{ field: 'a', type: 'integer', interface: 'select', choices: ['1'] }, 'interface'],
      [{ field: 'a', type: 'string', interface: 'select' }, 'choices'],
      [{ field: 'a', type: 'string', choices: ['x'] }, 'choices'],
      [{ field: 'a', type: 'json', unique: true }, 'unique'],
      [{ field: 'a', type: 'string', unique: true, default_value: 'x' }, 'default_value'],
      [{ field: 'a', type: 'integer', default_value: 'x' }, 'default_value'],
      [{ field: 'unsubscribed', type: 'string' }, 'type'],
    ] as const) {
      const refused = await ask('POST', `/fields/${collection}`, field);
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.path], [422, path], JSON.stringify(field));
    }
    for (const field of ['title', 'date_created'])
      assertProblem(await ask('POST', `/fields/${collection}`, { field, type: 'string' }), 409, 'name_taken');
    assertProblem(
      await ask('POST', '/collections', { name: 'x', collection: 'reachout_x', fields: [] }),
      409,
      'name_taken',
    );
    assertProblem(
      await ask('POST', '/fields/reachout_clients', { field: 'a', type: 'string' }),
      404,
      'not_found',
    );
  });

  test('changing a type converts all values or none', async () => {
    const collection = await make('Types', [{ field: 'size', type: 'string' }]);
    await add(collection, { size: ' 12 ' }, { size: '' }, { size: '7' }, {});
    assert.equal((await change(collection, 'size', { type: 'integer' })).status, 200);
    assert.deepEqual(await valuesOf(collection, 'size'), [12, null, 7, null]);
    const { body } = await ask<{ data: Item[] }>('GET', `/items/${collection}?filter={"size":{"_gt":8}}`);
    assert.equal(body.data.length, 1);

    assert.equal((await change(collection, 'size', { type: 'string' })).status, 200);
    await add(collection, { size: 'large' }, { size: 'huge' });
    const refused = await change(collection, 'size', { type: 'float' });
    assertProblem(refused, 409, 'values_do_not_fit');
    assert.deepEqual(refused.body.data, { problem: 'type', count: 2 });
    assert.deepEqual(await valuesOf(collection, 'size'), ['12', null, '7', null, 'large', 'huge']);

    const choices = ['12', '7', 'large'];
    const narrowed = await change(collection, 'size', { interface: 'select', choices });
    assert.deepEqual(narrowed.body.data, { problem: 'type', count: 1 });
    assert.equal(
      (await change(collection, 'size', { interface: 'select', choices: [...choices, 'huge'] })).status,
      200,
    );
    assertProblem(await change(collection, 'size', { choices }), 409, 'values_do_not_fit');
    assert.equal((await change(collection, 'size', { type: 'csv', interface: 'tags' })).status, 200);
    assert.deepEqual((await valuesOf(collection, 'size')).slice(3), [null, ['large'], ['huge']]);
  });

  test('a field becomes required or unique if items comply', async () => {
    const collection = await make('Rules', [{ field: 'code', type: 'string' }]);
    await add(collection, { code: 'a' }, { code: 'b' }, { code: ' A' }, { code: '' }, {});
    const required = await change(collection, 'code', { required: true });
    assertProblem(required, 409, 'values_do_not_fit');
    assert.deepEqual(required.body.data, { problem: 'missing', count: 2 });
    const unique = await change(collection, 'code', { unique: true });
    assert.deepEqual(unique.body.data, { problem: 'duplicate', count: 1 });

    const { body } = await ask<{ data: Item[] }>('GET', `/items/${collection}?sort=date_created`);
    const idOf = (index: number) => body.data[index]!['id'] as string;
    for (const [index, code] of [
      [2, 'c'],
      [3, 'd'],
      [4, 'e'],
    ] as const)
      await ask('PATCH', `/items/${collection}/${idOf(index)}`, { code });
    assert.equal((await change(collection, 'code', { required: true, unique: true })).status, 200);
    const data = { code: 'E ' };
    assertProblem(await ask('POST', `/items/${collection}`, data), 409, 'not_unique');
    assertProblem(await ask('POST', `/items/${collection}`, {}), 422, 'validation_failed');
    assert.equal((await change(collection, 'code', { unique: false, required: false })).status, 200);
    await add(collection, data, {});

    const late = await ask('POST', `/fields/${collection}`, {
      field: 'late',
      type: 'string',
      required: true,
    });
    assert.deepEqual(late.body.data, { problem: 'missing', count: 7 });
  });

  test('fields cannot change while items are written', async () => {
    const collection = await make('Busy', [{ field: 'code', type: 'string' }]);
    let refused: ReturnType<typeof change> | undefined;
    await inOrganization(app.services.db, organizationId, async (trx) => {
      await lockFields(trx, { organizationId, collection }, 'write items');
      refused = change(collection, 'code', { type: 'integer' });
      await waitUntilSomebodyWaits(app.owner);
      await insertRows(trx, 'content_items', {
        organization_id: organizationId,
        collection,
        id: 'x',
        data: JSON.stringify({ code: 'x' }),
      });
    });
    assert.deepEqual((await refused)?.body.data, { problem: 'type', count: 1 });
  });

  test('a deleted field loses its values permanently', async () => {
    const collection = await make('Removal', [
      { field: 'title', type: 'string' },
      { field: 'note', type: 'string', unique: true },
    ]);
    await add(collection, { title: 'One', note: 'private' }, { title: 'Two' });
    const path = `/fields/${collection}`;
    assert.equal((await ask('DELETE', `${path}/note`)).status, 200);
    assertProblem(await ask('DELETE', `${path}/note`), 404, 'not_found');
    const note = { field: 'note', type: 'integer' };
    assertProblem(await ask('POST', path, note), 409, 'name_taken');
    await runJobs(app, app.owner, [handleFieldRemovals({ db: app.services.db })]);
    const rows = await rowsOf<{ left: number }>(app.owner)`
      select (select count(*) from content_items where collection = ${collection} and data ? 'note')
        + (select count(*) from content_unique_values where collection = ${collection}) as left
    `;
    assert.deepEqual(rows, [{ left: 0 }]);
    assert.equal((await ask('POST', path, note)).status, 200);
    assert.deepEqual(await valuesOf(collection, 'note'), [null, null]);
    assert.deepEqual(await valuesOf(collection, 'title'), ['One', 'Two']);
  });

  test('fields that audiences or the platform use are kept', async () => {
    const filter = {
      organization_id: organizationId,
      name: 'Berliners',
      collection: 'contacts',
      rule: { city: { _icontains: 'berlin' } },
    };
    const audience = await owner.ok<{ id: string }>('POST', '/api/filters', filter);
    const refused = await ask('DELETE', '/fields/contacts/city');
    assertProblem(refused, 409, 'field_in_use');
    assert.deepEqual(refused.body.data, {
      used_by: [{ kind: 'audience', id: audience.id, name: 'Berliners' }],
      count: 1,
    });
    assertProblem(await change('contacts', 'city', { type: 'integer' }), 409, 'field_in_use');
    assert.equal((await change('contacts', 'city', { type: 'text', label: 'Town' })).status, 200);
    for (const field of ['email', 'unsubscribed'])
      assertProblem(await ask('DELETE', `/fields/contacts/${field}`), 409, 'field_protected');
    assertProblem(await change('contacts', 'email', { unique: false }), 409, 'field_protected');
    assertProblem(await change('contacts', 'unsubscribed', { default_value: true }), 409, 'field_protected');
    assert.equal((await change('contacts', 'email', { label: 'Address' })).status, 200);
  });

  test('field changes wait for the end of an import', async () => {
    const row = {
      organization_id: organizationId,
      collection: 'newsletters',
      file_name: 'x',
      settings: '{}',
    };
    const id = '01900000-0000-7000-8000-00000000000a';
    await insertRows(app.owner, 'content_imports', { ...row, id, status: 'running' });
    assertProblem(await change('newsletters', 'teaser', { type: 'text' }), 409, 'import_in_progress');
    assertProblem(await ask('DELETE', '/fields/newsletters/teaser'), 409, 'import_in_progress');
    await updateRows(app.owner, 'content_imports', { id }, { status: 'completed' });
    assert.equal((await change('newsletters', 'teaser', { type: 'text' })).status, 200);
  });

  test('collections can be hidden and ordered', async () => {
    await ask('PATCH', '/collections/newsletters', { sort: 1 });
    const hidden = await ask<Collection>('PATCH', '/collections/contacts', { hidden: true });
    assert.equal(hidden.body.hidden, true);
    const names = async (query = '') =>
      (await ask<{ data: Collection[] }>('GET', `/collections${query}`)).body.data.map(
        ({ collection }) => collection,
      );
    assert.equal((await names())[0], 'newsletters');
    assert.ok(!(await names()).includes('contacts'));
    assert.ok((await names('?hidden=true')).includes('contacts'));
    assert.equal((await ask('GET', '/items/contacts')).status, 200);
    assert.equal((await ask('PATCH', '/collections/contacts', { hidden: false })).status, 200);
  });
});
