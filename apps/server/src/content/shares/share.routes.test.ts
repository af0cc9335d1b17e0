import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Share, SharedItem } from '@reachout/contract/content-shares.ts';
import { sql } from 'kysely';
import { newId } from '../../platform/ids.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, useTestApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildClient } from '../../sample/records.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { countWaiting, letLocksWait } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('shares of items on screen', () => {
  const app = useSharedApp();
  const { organizationId, base: content, owner, editor } = useWorld(app);
  const base = `${content}/shares`;
  let item: string;

  before(async () => {
    item = await createContact('ada@x.example');
    await owner.request('PATCH', `${content}/fields/contacts/company`, { hidden: true });
  });

  async function createContact(email: string): Promise<string> {
    return (
      await app.ok<{ data: { id: string } }>('POST', `${content}/items/contacts`, {
        as: owner,
        body: { email, first_name: 'Ada', company: 'Secret Ltd' },
      })
    ).data.id;
  }
  const share = (more: object = {}, as = editor) =>
    app.request<Share & Problem>('POST', base, {
      as,
      body: { collection: 'contacts', item, name: 'For Ada', role: 'analyst', ...more },
    });
  const idOf = async (more: object = {}) => (await share(more)).body.id;
  const list = async (query = '', as = editor) =>
    await as.ok<{ items: Share[]; count: number }>('GET', `${base}${query}`);
  const describe = (id: string) =>
    app.request<{ needs_password: boolean; is_limited: boolean } & Problem>('GET', `${base}/${id}/access`);
  const open = (id: string, password?: string) =>
    app.request<SharedItem & Problem>('POST', `${base}/${id}/access`, {
      body: password === undefined ? {} : { password },
    });
  const usesOf = async (id: string) =>
    (await listRows(app.owner, 'content_shares', ['times_used'], { id }))[0]?.times_used;
  const inAnHour = (hours = 1) => new Date(Date.now() + hours * 3_600_000).toISOString();

  test('the link alone reads the visible fields of the item', async () => {
    const { body: created } = await share();
    assert.ok(created.url.endsWith(`/shares/${organizationId}/${created.id}`), created.url);
    assert.deepEqual((await describe(created.id)).body, { needs_password: false, is_limited: false });
    const { status, body } = await open(created.id);
    assert.equal(status, 200);
    assert.equal(body.name, 'For Ada');
    assert.deepEqual([body.item['email'], body.item['first_name']], ['ada@x.example', 'Ada']);
    assert.ok(!JSON.stringify(body).includes('Secret'), 'a hidden field is shown');
    assert.ok(!('user_created' in body.item), 'the creator of the item is named');
    assert.deepEqual(body.fields.map(({ field }) => field).toSorted(), Object.keys(body.item).toSorted());
  });

  test('a share lends roles that read all content and administer nothing', async () => {
    for (const role of ['owner', 'admin', 'guest', 'nothing']) {
      assertInvalid(await share({ role }), 'role', role);
    }
    const id = await idOf();
    const role = `bare_${newId().slice(-12)}`;
    await insertRows(app.owner, 'organization_roles', { organization_id: organizationId, role, name: role });
    assert.equal((await share({ role })).status, 200, 'a custom role without rules reads everything');
    // As after a change of the role.
    await updateRows(app.owner, 'content_shares', { id }, { role: 'guest' });
    for (const response of [await describe(id), await open(id)]) assertProblem(response, 404, 'not_found');
    assert.equal(await usesOf(id), 0);
  });

  test('a share of a deleted item opens nothing and spends no use', async () => {
    const gone = await createContact('gone@x.example');
    const id = await idOf({ item: gone, max_uses: 1 });
    const path = `${content}/items/contacts/${gone}`;
    await owner.ok('DELETE', path);
    for (const response of [await describe(id), await open(id)]) assertProblem(response, 404, 'not_found');
    assert.equal(await usesOf(id), 0);
  });

  test('password, period and number of uses limit who opens a share', async () => {
    const secret = await idOf({ password: 'horse battery' });
    assert.equal((await describe(secret)).body.needs_password, true);
    assertProblem(await open(secret), 404, 'not_found');
    assertProblem(await open(secret, 'wrong'), 404, 'not_found');
    assert.equal((await open(secret, 'horse battery')).status, 200);
    assert.ok(!JSON.stringify(await list()).includes('scrypt'), 'a hash is listed');

    const once = await idOf({ max_uses: 1 });
    assert.equal((await describe(once)).body.is_limited, true);
    assert.equal((await open(once)).status, 200);
    const closed = {
      unknown: newId(),
      'used up': once,
      early: await idOf({ date_start: inAnHour() }),
      late: await idOf({ date_end: inAnHour(-1) }),
    };
    for (const [what, id] of Object.entries(closed)) {
      const rejected = [await describe(id), await open(id)];
      for (const response of rejected) {
        assert.equal(response.status, 404, what);
        assert.equal(response.body.code, 'not_found', what);
      }
    }
    assert.equal(
      (await list(`?collection=contacts&item=${item}`)).items.find(({ id }) => id === once)?.times_used,
      1,
    );
  });

  test('guessing the password of a share is limited', async () => {
    const id = await idOf({ password: 'horse battery' });
    for (let guess = 0; guess < 10; guess++) assertProblem(await open(id, `no ${guess}`), 404, 'not_found');
    assertProblem(await open(id, 'horse battery'), 429, 'too_many_attempts');
  });

  test('shares are listed by page, of all items or of one', async () => {
    const other = await createContact('ben@x.example');
    const ids = [];
    for (const name of ['One', 'Two', 'Three']) ids.push(await idOf({ item: other, name }));
    const ofItem = await list(`?collection=contacts&item=${other}&page_size=2`);
    assert.deepEqual([ofItem.count, ofItem.items.map(({ name }) => name)], [3, ['Three', 'Two']]);
    assert.deepEqual(
      (await list(`?collection=contacts&item=${other}&page_size=2&page=1`)).items.map(({ name }) => name),
      ['One'],
    );
    assert.equal(ofItem.items[0]?.by?.id, editor.userId);
    assert.ok((await list()).count > 3);
    assertProblem(await share({ item: newId() }), 404, 'not_found');
    assertProblem(await share({ collection: 'reachout_templates' }), 404, 'not_found');
  });

  test('an ended share opens nothing; its start and end are audited', async () => {
    const id = await idOf({ name: 'Short' });
    const remove = (as: Person) => as.request('DELETE', `${base}/${id}`);
    assert.equal((await remove(editor)).status, 200);
    assertProblem(await open(id), 404, 'not_found');
    assertProblem(await remove(editor), 404, 'not_found');
    assert.deepEqual(
      (await listRows(app.owner, 'audit_log', ['action', 'record_name'], { record_id: id }))
        .map(({ action, record_name }) => `${action} ${record_name}`)
        .toSorted(),
      ['content.createShare Short', 'content.deleteShare Short'],
    );
  });

  test('shares open nothing while a Directus is connected', async () => {
    const id = await idOf();
    const connection = { organization_id: organizationId };
    await insertRows(app.owner, 'organization_directus', {
      ...connection,
      endpoint: 'https://cms.example',
      access_token: 'sealed',
      state: 'connected',
    });
    for (const response of [await describe(id), await open(id)]) assertProblem(response, 404, 'not_found');
    await deleteRows(app.owner, 'organization_directus', connection);
    assert.equal((await open(id)).status, 200);
  });

  test('members limited to clients neither share nor see shares', async () => {
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const made = await owner.ok<{ role: string }>('POST', `/api/organizations/${organizationId}/roles`, {
      name: 'Content of clients',
      rules: ['read', 'update'].map((action) => ({
        action,
        subject: 'Content',
        conditions: { client_id: { $in: '${client_ids}' } },
      })),
    });
    const guest = await signInGuest(app, organizationId, [client.id], made.role);
    const analyst = await app.signInMember(organizationId, 'analyst');
    for (const as of [guest, analyst]) {
      assertProblem(await share({}, as), 403, 'forbidden');
      assertProblem(await as.request('GET', base), 403, 'forbidden');
    }
  });
});

suite('visitors of shares', () => {
  const app = useTestApp({ trustedProxies: ['127.0.0.1'] });
  before(() => letLocksWait(app));

  /** Shares an item of a new organization. */
  async function share() {
    const as = await app.signIn();
    const organizationId = await createOrganization(app, as);
    const base = `/api/content/${organizationId}/shares`;
    const contacts = `/api/content/${organizationId}/items/contacts`;
    const contact = { email: 'ada@x.example' };
    const made = await as.request<{ data: { id: string } }>('POST', contacts, contact);
    const body = { collection: 'contacts', item: made.body.data.id, name: 'For Ada', role: 'analyst' };
    const { id } = await as.ok<Share>('POST', base, body);
    const open = () => app.request('POST', `${base}/${id}/access`, { body: {} });
    return { as, base, id, open };
  }

  /** Until it is released, nobody can count a use of these. */
  async function lock(ids: string[]) {
    const isLocked = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const holding = app.owner.transaction().execute(async (trx) => {
      await sql`select from content_shares where id = any (${ids}::uuid[]) for update`.execute(trx);
      isLocked.resolve();
      await mayEnd.promise;
    });
    await isLocked.promise;
    return async () => {
      mayEnd.resolve();
      await holding;
    };
  }

  test('take no connections from members', async () => {
    const { as, base, id, open } = await share();
    const release = await lock([id]);
    // Each holds its connection until it has counted its use, or waits for one.
    let ended = 0;
    const visits = Array.from({ length: 8 }, () => open().finally(() => (ended += 1)));
    await waitUntil('visitors hold connections', async () => (await countWaiting(app.owner)) >= 2);
    const { status } = await as.request('GET', base);
    const seen = { status, ended };
    await Promise.all([release(), ...visits]);
    assert.deepEqual(seen, { status: 200, ended: 0 });
    assert.equal((await open()).status, 200);
  });

  test('of one network leave connections and places in the queue to those of others', async () => {
    const shares = [await share(), await share()];
    const { base, id } = await share();
    const release = await lock(shares.map((one) => one.id));
    const visits = shares.flatMap(({ open }) => [open(), open()]);
    await waitUntil('they hold connections', async () => (await countWaiting(app.owner)) >= 2);
    let refused = 0;
    const flood = Array.from({ length: 220 }, async () => {
      const { status } = await app.request('GET', `/api/content/${newId()}/shares/${newId()}/access`);
      if (status === 503) refused += 1;
    });
    await waitUntil('no more may wait', async () => refused > 0);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const others = await Promise.all(
      Array.from({ length: 4 }, () => app.request('GET', `${base}/${id}/access`, { headers })),
    );
    await Promise.all([release(), ...visits, ...flood]);
    assertColumn(others, 'status', [200, 200, 200, 200]);
  });
});
