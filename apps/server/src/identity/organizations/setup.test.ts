import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { setupTasks, type Setup, type SetupTask } from '@reachout/contract/organizations.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import {
  buildBrand,
  buildClient,
  buildFilter,
  buildMember,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { buildTenant } from '../../testing/tenant.ts';
import { newWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('set-up tasks', () => {
  const app = useSharedApp();

  before(async () => {
    // Steps completed by other organizations do not count.
    await buildTenant(app.owner);
  });

  const fresh = async () => {
    const { organizationId: id, owner: member } = await newWorld(app, 'owner');
    return { id, member };
  };

  async function doneOf({ id, member }: { id: string; member: Person }): Promise<SetupTask[]> {
    const body = await member.ok<Setup>('GET', `/api/organizations/${id}/setup`);
    assert.equal(body.id, id);
    assertColumn(body.tasks, 'task', setupTasks);
    return body.tasks.filter(({ done }) => done).map(({ task }) => task);
  }

  const set = (id: string, columns: { organization_size_id?: string; country_id?: string }) =>
    updateRows(app.owner, 'organizations', { id }, columns);
  const addItem = async (organization_id: string, collection: string) => {
    await insertRows(app.owner, 'content_collections', { organization_id, collection });
    if (collection.startsWith('contacts'))
      await insertRows(app.owner, 'content_fields', {
        organization_id,
        collection,
        field: 'email',
        type: 'string',
      });
    await insertRows(app.owner, 'content_items', {
      organization_id,
      collection,
      id: newId(),
      data: JSON.stringify({}),
    });
  };
  const invite = (organization_id: string) =>
    insertRows(app.owner, 'organization_invitations', {
      id: newId(),
      organization_id,
      email: 'new@people.example',
      role: 'editor',
      language: 'en',
      token_hash: newId(),
      expires_at: new Date().toISOString(),
    });

  test('only members see the set-up tasks', async () => {
    const { id } = await fresh();
    const path = `/api/organizations/${id}/setup`;
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    assert.deepEqual(await doneOf({ id, member: await app.signInMember(id, 'guest') }), ['team']);
  });

  const facts: [string, (id: string) => Promise<unknown>, SetupTask[]][] = [
    ['nothing', () => Promise.resolve(), []],
    ['a size', (id) => set(id, { organization_size_id: '2-10' }), []],
    ['a country', (id) => set(id, { country_id: 'DE' }), []],
    [
      'a size and a country',
      (id) => set(id, { organization_size_id: '2-10', country_id: 'DE' }),
      ['profile'],
    ],
    ['another member', (id) => buildMember(app.owner, { organization_id: id, role: 'guest' }), ['team']],
    ['an invitation', invite, ['team']],
    ['a client', (id) => buildClient(app.owner, { organization_id: id }), []],
    ['a brand', (id) => buildBrand(app.owner, { organization_id: id }), ['brand']],
    ['a deleted brand', (id) => buildBrand(app.owner, { organization_id: id, deleted: true }), []],
    [
      'a brand of a deleted client',
      async (id) => {
        const client = await buildClient(app.owner, { organization_id: id, deleted: true });
        await buildBrand(app.owner, { client_id: client.id });
      },
      [],
    ],
    ['a contact', (id) => addItem(id, 'contacts'), ['contacts']],
    ['a contact of a client', (id) => addItem(id, 'contacts_north'), ['contacts']],
    ['another item', (id) => addItem(id, 'articles'), []],
    ['an audience', (id) => buildFilter(app.owner, { organization_id: id }), ['audience']],
    ['a touchpoint', (id) => buildTouchpoint(app.owner, { organization_id: id }), ['brand']],
    [
      'a send',
      (id) => buildSend(app.owner, { organization_id: id, status: 'cancelled' }),
      ['brand', 'touchpoint'],
    ],
  ];
  for (const [what, make, done] of facts) {
    test(`an organization with ${what} has completed ${done.join(' and ') || 'nothing'}`, async () => {
      const organization = await fresh();
      await make(organization.id);
      assert.deepEqual(await doneOf(organization), done);
    });
  }
});
