import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Collection } from '@reachout/contract/content.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows } from '../../testing/rows.ts';

suite('deletion of a contact list', () => {
  const app = useSharedApp();
  let owner: Person;
  let organization_id: string;
  let base: string;

  before(async () => {
    owner = await app.signIn();
    organization_id = (await post<{ id: string }>('/api/organizations', { name: 'Agency' })).id;
    base = `/api/content/${organization_id}`;
  });

  async function post<T>(path: string, body: object): Promise<T> {
    return await owner.ok<T>('POST', path, body);
  }
  const buildList = async (name: string, more: object = {}) => {
    const { collection } = await post<Collection>(`${base}/collections`, { name, ...more });
    const { data } = await post<{ data: { id: string } }>(`${base}/items/${collection}`, {
      email: 'ada@people.example',
    });
    return { collection, contactId: data.id };
  };
  const remove = (collection: string, as = owner) =>
    as.request('DELETE', `${base}/collections/${collection}`);
  const listNames = async () =>
    (await owner.ok<{ data: Collection[] }>('GET', `${base}/collections`)).data.map(
      ({ collection }) => collection,
    );

  test('a deleted list loses its contacts permanently', async () => {
    const { collection, contactId } = await buildList('Fair');
    const contact = `${base}/items/${collection}/${contactId}`;
    const importId = newId();
    await insertRows(app.owner, 'content_imports', {
      id: importId,
      organization_id,
      collection,
      file_name: 'fair.csv',
      settings: JSON.stringify({}),
      status: 'completed',
    });
    await owner.ok('GET', contact);
    const { status, body } = await remove(collection);
    assert.deepEqual([status, body], [200, { collection }]);

    assert.deepEqual(await listNames(), ['contacts', 'newsletters']);
    for (const path of [contact, `${base}/fields/${collection}`, `${base}/imports/${importId}`])
      assert.equal((await owner.request('GET', path)).status, 404, path);
    const imports = await owner.ok<{ data: unknown[] }>('GET', `${base}/imports`);
    assert.deepEqual(imports.data, []);
    assert.equal((await remove(collection)).status, 404);
    const again = await buildList('Fair');
    assert.notEqual(again.collection, collection);
    const items = await owner.ok<{ data: unknown[] }>('GET', `${base}/items/${again.collection}`);
    assert.equal(items.data.length, 1);
    await remove(again.collection);

    const entries = await listRows(app.owner, 'audit_log', ['user_id', 'record_name'], {
      organization_id,
      action: 'content.deleteCollection',
    });
    const entry = { user_id: owner.userId, record_name: 'Fair' };
    assert.deepEqual(entries, [entry, entry]);
  });

  test('a list used by audiences cannot be deleted', async () => {
    const { collection } = await buildList('Members');
    const filter = await post<{ id: string }>('/api/filters', {
      organization_id,
      name: 'All members',
      collection,
    });
    const refused = await remove(collection);
    assertProblem(refused, 409, 'collection_in_use');
    assert.deepEqual(refused.body.data, {
      used_by: [{ kind: 'audience', id: filter.id, name: 'All members' }],
      count: 1,
    });
    assert.ok((await listNames()).includes(collection));
    await owner.request('DELETE', `/api/filters/${filter.id}`);
    assert.equal((await remove(collection)).status, 200);
  });

  test('initial collections cannot be deleted', async () => {
    for (const collection of ['contacts', 'newsletters'])
      assertProblem(await remove(collection), 409, 'starting_collection');
    assert.equal((await remove('reachout_templates')).status, 404);
  });
});
