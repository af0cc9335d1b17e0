import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AudienceCount, Filter, ListedFilter } from '@reachout/contract/filters.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';

suite('audience filters', () => {
  const app = useSharedApp();
  const {
    organizationId: organization_id,
    clientId: client_id,
    brandId: brand_id,
    base,
    owner,
  } = useWorld(app);

  const create = (body: object) =>
    owner.request<Filter>('POST', '/api/filters', { organization_id, ...body });
  const change = (id: string, body: object) => owner.request<Filter>('PATCH', `/api/filters/${id}`, body);
  const remove = (id: string) => owner.request('DELETE', `/api/filters/${id}`);

  test('filters can be created, read, changed and deleted', async () => {
    const rule = { _and: [{ country: { _eq: 'DE' } }, { vip: { _eq: true } }] };
    const { status, body } = await create({ name: 'Germans', rule, brand_id, collection: 'contacts' });
    assert.equal(status, 200);
    const summary = {
      id: brand_id,
      name: 'Nordwind brand',
      logo_url: null,
      dark_logo_url: null,
      color: 'blue',
    };
    assert.deepEqual(
      { ...body, id: '', created_at: '', updated_at: '' },
      {
        id: '',
        organization_id,
        client_id: client_id,
        client: { id: client_id, name: 'Nordwind' },
        brand_id,
        brand: summary,
        brands: [summary],
        name: 'Germans',
        is_active: true,
        collection: 'contacts',
        rule,
        field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
        created_at: '',
        updated_at: '',
      },
    );
    const path = `/api/filters/${body.id}`;
    assert.deepEqual((await owner.request('GET', path)).body, body);
    const changed = await change(body.id, { name: 'Everybody', rule: {}, is_active: false, brand_id: null });
    assert.deepEqual(
      [changed.body.name, changed.body.rule, changed.body.is_active, changed.body.brands],
      ['Everybody', {}, false, []],
    );
    const listed = await owner.ok<{ items: Filter[] }>(
      'GET',
      `/api/filters?organization_id=${organization_id}`,
    );
    assert.deepEqual(listed.items, [{ ...changed.body, used_count: 0 }]);
    assert.equal((await remove(body.id)).status, 200);
    assertProblem(await owner.request('GET', path), 404, 'not_found');
  });

  test('an invalid rule is rejected with its path', async () => {
    const response = await create({ name: 'Wrong', rule: { _or: [{ country: { _gt: 'DE' } }] } });
    assertProblem(response, 422, 'invalid_rule');
    assert.deepEqual((response.body as { data?: unknown }).data, {
      path: 'rule._or.0.country._gt',
      reason: 'Fields of type string do not have the operator _gt.',
    });
    const foreign = await buildBrand(app.owner);
    assertInvalid(await create({ name: 'Wrong', brand_id: foreign.id }), 'brand_id');
    const counted = await owner.request('POST', '/api/filters/count', {
      organization_id,
      brand_id: foreign.id,
    });
    assertInvalid(counted, 'brand_id');
    // Counting the items that contain a text would disclose their content.
    const templates = {
      collection: 'reachout_templates',
      field_mapping: { email: 'title', unsubscribed: null },
      rule: { mjml: { _contains: 'secret' } },
    };
    assertProblem(await create({ name: 'Wrong', ...templates }), 422, 'invalid_rule');
    const guessed = await owner.request('POST', '/api/filters/count', { organization_id, ...templates });
    assertProblem(guessed, 422, 'invalid_rule');
    const { body } = await create({ name: 'Right' });
    assertProblem(await change(body.id, { rule: { nope: 1 } }), 422, 'invalid_rule');
    assertInvalid(await change(body.id, { brand_id: foreign.id }), 'brand_id');
  });

  test('filter names are unique without regard to case', async () => {
    await create({ name: 'Twice' });
    assertProblem(await create({ name: 'tWICE' }), 409, 'name_taken');
    const { body } = await create({ name: 'Once' });
    assertProblem(await change(body.id, { name: 'TWICE' }), 409, 'name_taken');
    assert.equal((await change(body.id, { name: 'ONCE' })).status, 200);
  });

  test('concurrent filters cannot share a name', async () => {
    const made = await Promise.all(['Race', 'RACE', 'race', 'rAcE'].map((name) => create({ name })));
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409],
    );
    const others = await Promise.all(
      ['Lane 1', 'Lane 2', 'Lane 3', 'Lane 4'].map((name) => create({ name })),
    );
    const renamed = await Promise.all(others.map(({ body }) => change(body.id, { name: 'Finish' })));
    assert.deepEqual(
      renamed.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409],
      JSON.stringify(renamed.map(({ body }) => body)),
    );
    for (const response of [...made, ...renamed].filter(({ status }) => status !== 200))
      assertProblem(response, 409, 'name_taken');
  });

  test('a filter in use cannot be deleted', async () => {
    const { body } = await create({ name: 'In use' });
    const campaign = await buildCampaign(app.owner, { brand_id });
    await buildTouchpoint(app.owner, { campaign_id: campaign.id, email: { filter_id: body.id } });
    assertProblem(await remove(body.id), 409, 'filter_in_use');
    const countUses = async (as: Person) => {
      const path = `/api/filters?organization_id=${organization_id}&search=In+use`;
      return (await as.ok<{ items: ListedFilter[] }>('GET', path)).items[0]!.used_count;
    };
    assert.equal(await countUses(owner), 1);
    const reader = await signInWithRules(app, organization_id, [{ action: 'read', subject: 'Filter' }]);
    assert.equal(await countUses(reader), null);
    await updateRows(app.owner, 'campaigns', { id: campaign.id }, { deleted: true });
    assert.equal(await countUses(owner), 0);
    assert.equal((await remove(body.id)).status, 200);
  });

  test('filters of other brands in use cannot be deleted', async () => {
    const rule = { action: 'delete', subject: 'Filter', conditions: { brand_id } };
    const limited = await signInWithRules(app, organization_id, [rule]);
    const { body } = await create({ name: 'Of both brands', brand_id, collection: 'contacts' });
    const other = await buildBrand(app.owner, { organization_id });
    const campaign = await buildCampaign(app.owner, { brand_id: other.id });
    const { id } = await buildTouchpoint(app.owner, {
      campaign_id: campaign.id,
      email: { filter_id: body.id },
    });
    const path = `/api/filters/${body.id}`;
    assertProblem(await limited.request('DELETE', path), 409, 'filter_in_use');
    await updateRows(app.owner, 'touchpoints', { id }, { deleted: true });
    // An email outside of the access scope keeps the audience in use even when it is deleted, since it may be restored.
    assertProblem(await limited.request('DELETE', path), 409, 'filter_in_use');
    assert.equal((await remove(body.id)).status, 200);
    const email = await getRow(app.owner, 'touchpoint_emails', ['filter_id'], { touchpoint_id: id });
    assert.equal(email.filter_id, null);
  });

  test('a filter with an outdated rule can be renamed', async () => {
    const { body } = await create({ name: 'Old rule' });
    const rule = JSON.stringify({ field_that_went: { _eq: 1 } });
    await updateRows(app.owner, 'filters', { id: body.id }, { rule });
    assert.equal((await change(body.id, { name: 'Old rule, new name' })).status, 200);
    assertProblem(await change(body.id, { field_mapping: { email: 'email' } }), 422, 'invalid_rule');
  });

  test('a rule can be counted before it is saved', async () => {
    for (const [n, country] of ['DE', 'DE', 'AT'].entries()) {
      const data = { email: `user${n}@x.example`, country, unsubscribed: n === 0 };
      const path = `${base}/items/contacts`;
      await owner.ok('POST', path, data);
    }
    const body = await app.ok<AudienceCount>('POST', '/api/filters/count', {
      as: owner,
      body: { organization_id, brand_id, collection: 'contacts', rule: { country: { _eq: 'DE' } } },
    });
    const { sample, ...breakdown } = body;
    assert.deepEqual(breakdown, {
      matched: 2,
      excluded: {
        no_address: 0,
        invalid_address: 0,
        duplicate_address: 0,
        unsubscribed: 1,
        suppressed: 0,
        not_subscribed: 0,
        paused: 0,
      },
      will_receive: 1,
      reading: null,
      brands: [],
      brands_more: 0,
    });
    assert.deepEqual(
      sample.map(({ email, data }) => [email, data['country']]),
      [['user1@x.example', 'DE']],
    );
  });

  test('contacts that only lack a value are counted beside the number', async () => {
    // A field that was added later has no value in the contacts that were there.
    await insertRows(app.owner, 'content_fields', {
      organization_id,
      collection: 'contacts',
      field: 'member',
      type: 'boolean',
      sort: 50,
    });
    const collection = `${base}/items/contacts`;
    for (const [n, data] of [
      { member: true, city: 'Bonn', birthday: '2001-05-01' },
      { member: true, city: 'Köln', birthday: '1980-05-01' },
      { member: false, city: 'Köln', birthday: '1990-05-01' },
      { member: null, city: 'Köln' },
      { member: null, city: null },
    ].entries()) {
      const body = { email: `lacking${n}@lack.example`, country: 'LI', ...data };
      await owner.ok('POST', collection, body);
    }
    const here = { country: { _eq: 'LI' } };
    const count = async (rule: object) => {
      const body = await app.ok<AudienceCount>('POST', '/api/filters/count', {
        as: owner,
        body: { organization_id, brand_id, collection: 'contacts', rule: { _and: [here, rule] } },
      });
      return [body.matched, (body.without_value ?? []).map((hint) => [hint.field, hint.count])];
    };
    assert.deepEqual(await count({ member: { _eq: false } }), [1, [['member', 2]]]);
    assert.deepEqual(await count({ member: false }), [1, [['member', 2]]]);
    assert.deepEqual(await count({ member: { _neq: true } }), [1, [['member', 2]]]);
    assert.deepEqual(await count({ city: { _neq: 'Bonn' } }), [3, [['city', 1]]]);
    assert.deepEqual(await count({ city: { _nin: ['Bonn', 'Ulm'] } }), [3, [['city', 1]]]);
    assert.deepEqual(await count({ city: { _ncontains: 'nn' } }), [3, [['city', 1]]]);
    assert.deepEqual(await count({ birthday: { _lt: '1995-01-01' } }), [2, [['birthday', 2]]]);
    assert.deepEqual(await count({ birthday: { _gte: '1995-01-01' } }), [1, []]);
    assert.deepEqual(await count({ member: { _eq: true } }), [2, []]);
    assert.deepEqual(await count({ _or: [{ member: { _eq: false } }, { member: { _null: true } }] }), [
      3,
      [],
    ]);
    assert.deepEqual(await count({ _and: [{ member: { _eq: false } }, { member: { _nnull: true } }] }), [
      1,
      [],
    ]);
    // Of two such conditions, each counts with the other.
    assert.deepEqual(await count({ _and: [{ member: { _eq: false } }, { city: { _neq: 'Bonn' } }] }), [
      1,
      [['member', 1]],
    ]);

    const rule = { _and: [here, { member: { _eq: false } }] };
    const made = await create({ name: 'No members', brand_id, collection: 'contacts', rule });
    const campaign = await buildCampaign(app.owner, { brand_id });
    const { id } = await buildTouchpoint(app.owner, {
      campaign_id: campaign.id,
      email: { filter_id: made.body.id },
    });
    const review = await owner.request<Review>('GET', `/api/touchpoints/${id}/review`);
    const { matched, without_value } = review.body.audience_breakdown!;
    assert.deepEqual([matched, without_value?.map((hint) => [hint.field, hint.count])], [1, [['member', 2]]]);
  });
});
