import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maxPresets, type Preset } from '@reachout/contract/content-presets.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

suite('saved views', () => {
  const app = useSharedApp();
  const { organizationId, base: content, editor, analyst } = useWorld(app);
  const base = `${content}/presets`;

  const save = (as: Person, body: object) =>
    as.request<Preset>('POST', base, { collection: 'contacts', ...body });
  const change = (as: Person, id: string, body: object) =>
    as.request<Preset & Problem>('PATCH', `${base}/${id}`, body);
  const namesFor = async (as: Person) =>
    (await as.ok<{ data: Preset[] }>('GET', `${base}?collection=contacts`)).data.map(
      ({ bookmark }) => bookmark,
    );

  test('views are personal or shared by permitted members', async () => {
    const layout_query = { fields: ['email', 'city'], sort: ['-email'], limit: 50 };
    const filter = { city: { _eq: 'Berlin' } };
    const { body: own } = await save(analyst, { bookmark: 'Berlin', filter, search: 'ada', layout_query });
    assert.deepEqual(
      [own.filter, own.search, own.layout_query, own.is_shared],
      [filter, 'ada', layout_query, false],
    );
    assertProblem(await save(analyst, { bookmark: 'Mine', is_shared: true }), 403, 'forbidden');
    const { body: shared } = await save(editor, { bookmark: 'All', is_shared: true });
    assert.deepEqual(await namesFor(analyst), ['All', 'Berlin']);
    assert.deepEqual(await namesFor(editor), ['All']);

    assertProblem(await change(analyst, shared.id, { bookmark: 'x' }), 403, 'forbidden');
    assertProblem(await change(analyst, own.id, { is_shared: true }), 403, 'forbidden');
    assertProblem(await change(editor, own.id, { bookmark: 'x' }), 404, 'not_found');
    assert.equal((await change(analyst, own.id, { bookmark: 'Town', filter: null })).body.bookmark, 'Town');
    assert.equal((await change(editor, shared.id, { is_shared: false })).body.is_shared, false);
    assert.deepEqual(await namesFor(analyst), ['Town']);

    const remove = (as: Person, id: string) => as.request('DELETE', `${base}/${id}`);
    assertProblem(await remove(editor, own.id), 404, 'not_found');
    assert.equal((await remove(analyst, own.id)).status, 200);
    assert.deepEqual(await namesFor(analyst), []);
  });

  test('a view needs an existing collection and has limits', async () => {
    assertProblem(await save(editor, { collection: 'nothing', bookmark: 'x' }), 404, 'not_found');
    assertProblem(await save(editor, { collection: 'reachout_clients', bookmark: 'x' }), 404, 'not_found');
    const row = { organization_id: organizationId, collection: 'contacts', user_id: analyst.userId };
    await insertRows(
      app.owner,
      'content_presets',
      Array.from({ length: maxPresets }, (_, n) => ({
        ...row,
        id: newId(),
        bookmark: `View ${n}`,
        layout_query: '{}',
      })),
    );
    assertProblem(await save(analyst, { bookmark: 'One more' }), 409, 'too_many_records');
    assert.equal((await save(editor, { bookmark: 'Of another person' })).status, 200);
  });

  test('personal views are deleted with the membership', async () => {
    const { body: own } = await save(editor, { bookmark: 'Leaving' });
    await deleteRows(app.owner, 'organization_users', {
      organization_id: organizationId,
      user_id: editor.userId,
    });
    const left = await listRows(app.owner, 'content_presets', '*', { id: own.id });
    assert.deepEqual(left, []);
  });
});
