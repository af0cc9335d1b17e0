import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Collection, Item } from '@reachout/contract/content.ts';
import type { AudienceCount, Filter } from '@reachout/contract/filters.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { Template } from '@reachout/contract/templates.ts';
import type { Review, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person, type TestResponse } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { prepareSend } from '../worker/prepare-send.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

interface Branch {
  client_id: string;
  brand_id: string;
  campaign_id: string;
}

/** Two clients of an agency. Data of one client is never used for the other, by any caller at any time. */
suite('contacts, audiences and templates of clients', () => {
  const app = useSharedApp();
  let person: Person;
  let organization_id: string;
  let north: Branch;
  let south: Branch;
  let names = 0;

  before(async () => {
    person = await app.signIn();
    organization_id = await make('/organizations', { name: 'Agency' });
    north = await branch('North');
    south = await branch('South');
  });

  const ask = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, as = person) =>
    app.request<T>(method, `/api${path}`, { as, ...(body && { body }) });
  const done = <T>({ status, body }: TestResponse<T>): T => {
    assert.ok(status < 300, JSON.stringify(body));
    return body;
  };
  const make = async (path: string, body: object): Promise<string> =>
    done(await ask<{ id: string }>('POST', path, body)).id;
  const fresh = (word: string) => `${word} ${(names += 1)}`;

  async function branch(name: string): Promise<Branch> {
    const client_id = await make('/clients', { organization_id, name });
    const brand_id = await make('/brands', { organization_id, client_id, name, tracking_policy: 'everyone' });
    const campaign_id = await make('/campaigns', { organization_id, brand_id, name });
    return { client_id, brand_id, campaign_id };
  }

  /** Creates a collection with one contact. */
  async function collectionOf(owner: object): Promise<string> {
    const body = { organization_id, ...owner, name: fresh('Customers') };
    const { collection } = done(
      await ask<Collection>('POST', `/content/${organization_id}/collections`, body),
    );
    await addContact(collection, { email: `ada@${collection.replaceAll('_', '-')}.example` });
    return collection;
  }
  const addContact = async (collection: string, data: object) =>
    done(await ask<{ data: Item }>('POST', `/content/${organization_id}/items/${collection}`, data)).data;
  const createAudience = (owner: object, collection = 'contacts') =>
    ask<Filter>('POST', '/filters', { organization_id, ...owner, name: fresh('Audience'), collection });
  const createTemplate = async (owner: object) =>
    done(
      await ask<Template>('POST', `/content/${organization_id}/templates`, {
        ...owner,
        title: fresh('Letter'),
        mjml: fixtureMjml,
      }),
    );
  const createEmail = ({ campaign_id }: Branch) =>
    make('/touchpoints', { organization_id, campaign_id, name: fresh('Email'), type: 'email' });
  const changeEmail = (id: string, changes: object) =>
    ask<TouchpointEmail>('PATCH', `/touchpoints/${id}/email`, changes);
  /** Bypasses all checks, as an earlier release or a restored record may have left it. */
  const forceEmail = (id: string, changes: { filter_id?: string }) =>
    updateRows(app.owner, 'touchpoint_emails', { touchpoint_id: id }, changes);
  const findBlock = async (id: string, check: string) => {
    const review = done(await ask<Review>('GET', `/touchpoints/${id}/review`));
    return review.checks.find((each) => each.check === check && each.level === 'block')?.message;
  };

  test('content belongs to a brand, a client or everybody', async () => {
    const { client_id, brand_id } = north;
    const collection = await collectionOf({ brand_id });
    const audience = done(await createAudience({ brand_id }, collection));
    const template = await createTemplate({ brand_id });
    const path = `/content/${organization_id}/collections`;
    const { data } = done(await ask<{ data: Collection[] }>('GET', path));
    for (const owned of [audience, template, data.find((each) => each.collection === collection)!])
      assert.deepEqual(
        [owned.client_id, owned.brand_id, owned.client?.name, owned.brand?.name],
        [client_id, brand_id, 'North', 'North'],
      );
    const wrong = { client_id: south.client_id, brand_id };
    for (const refused of [
      await createAudience(wrong),
      await ask('POST', path, { organization_id, ...wrong, name: 'Wrong' }),
      await ask('POST', `/content/${organization_id}/templates`, { ...wrong, title: 'Wrong' }),
    ])
      assertInvalid(refused, 'brand_id');
    // Its collection still belongs to the brand, until it is moved to the client, too.
    assertInvalid(await ask('PATCH', `/filters/${audience.id}`, { client_id }), 'client_id');
    done(await ask('PATCH', `${path}/${collection}`, { client_id }));
    const ofClient = done(await ask<Filter>('PATCH', `/filters/${audience.id}`, { client_id }));
    assert.deepEqual([ofClient.client_id, ofClient.brand_id, ofClient.brands], [client_id, null, []]);
    assertInvalid(await ask('PATCH', `/filters/${audience.id}`, { client_id: null }), 'client_id');
  });

  test('content of the brand is listed before shared content', async () => {
    const owners = [
      {},
      { client_id: north.client_id },
      { brand_id: north.brand_id },
      { brand_id: south.brand_id },
    ];
    const made = { audiences: [] as string[], templates: [] as string[] };
    for (const owner of owners) {
      made.audiences.push(done(await createAudience(owner)).id);
      made.templates.push((await createTemplate(owner)).id);
    }
    const listed = async (path: string, ids: readonly string[]) => {
      const { items } = done(await ask<{ items: { id: string }[] }>('GET', path));
      return items.map(({ id }) => ids.indexOf(id)).filter((index) => index >= 0);
    };
    for (const [query, expected] of [
      [`brand_id=${north.brand_id}`, [2, 1, 0]],
      [`brand_id=${south.brand_id}`, [3, 0]],
    ] as const) {
      const filters = `/filters?organization_id=${organization_id}&${query}&page_size=500`;
      const templates = `/content/${organization_id}/templates?${query}&page_size=500`;
      assert.deepEqual(await listed(filters, made.audiences), expected);
      assert.deepEqual(await listed(templates, made.templates), expected);
    }
  });

  test('an audience cannot use contacts of another client', async () => {
    const collection = await collectionOf({ client_id: north.client_id });
    for (const owner of [{}, { client_id: south.client_id }, { brand_id: south.brand_id }]) {
      assertInvalid(await createAudience(owner, collection), 'collection');
      const counted = await ask('POST', '/filters/count', { organization_id, ...owner, collection });
      assertInvalid(counted, 'collection');
    }
    const own = { organization_id, brand_id: north.brand_id, collection };
    assert.equal(done(await ask<AudienceCount>('POST', '/filters/count', own)).will_receive, 1);
    const { id } = done(await createAudience({ brand_id: north.brand_id }, collection));
    assertInvalid(await ask('PATCH', `/filters/${id}`, { brand_id: south.brand_id }), 'client_id');
    assertInvalid(await ask('PATCH', `/filters/${id}`, { brand_id: null }), 'client_id');
  });

  test('an audience without a collection selects from contacts of its owner', async () => {
    const east = await branch('East');
    const owner = { organization_id, brand_id: east.brand_id };
    const create = () => ask<Filter>('POST', '/filters', { ...owner, name: fresh('Audience') });
    const count = () => ask<AudienceCount>('POST', '/filters/count', owner);
    await addContact('contacts', { email: 'shared@everybody.example' });
    assertInvalid(await create(), 'collection');
    assertInvalid(await count(), 'collection');
    const ofClient = await collectionOf({ client_id: east.client_id });
    assert.equal(done(await create()).collection, ofClient);
    assert.equal(done(await count()).will_receive, 1);
    const ofBrand = await collectionOf({ brand_id: east.brand_id });
    assert.equal(done(await create()).collection, ofBrand);
    const shared = { organization_id, name: fresh('Audience') };
    assert.equal(done(await ask<Filter>('POST', '/filters', shared)).collection, 'contacts');
  });

  test('a review names contacts that clients share', async () => {
    const review = async (filter_id: string) => {
      const id = await createEmail(north);
      done(await changeEmail(id, { filter_id }));
      const { checks, shared_contacts } = done(await ask<Review>('GET', `/touchpoints/${id}/review`));
      const check = checks.find((each) => each.check === 'shared_contacts');
      return { shared_contacts, level: check?.level, message: check?.message };
    };
    const { brand_id } = north;
    // The audience belongs to the brand, its contacts to everybody.
    assert.deepEqual(await review(done(await createAudience({ brand_id })).id), {
      shared_contacts: { collection: 'contacts', label: null },
      level: 'warn',
      message: 'All clients share the contacts of this audience: “contacts”.',
    });
    const own = done(await createAudience({ brand_id }, await collectionOf({ client_id: north.client_id })));
    assert.deepEqual(await review(own.id), { shared_contacts: null, level: undefined, message: undefined });
  });

  test('an email cannot use content of another client', async () => {
    const audience = done(await createAudience({ brand_id: north.brand_id }));
    const template = await createTemplate({ client_id: north.client_id });
    const email = await createEmail(south);
    assertInvalid(await changeEmail(email, { filter_id: audience.id }), 'filter_id');
    assertInvalid(await changeEmail(email, { template_id: template.id }), 'template_id');

    await forceEmail(email, { filter_id: audience.id });
    assert.match((await findBlock(email, 'audience')) ?? '', /belongs to another client or brand/);
    assertProblem(await ask('POST', `/touchpoints/${email}/sends`, {}), 409, 'send_blocked');

    // An own audience over contacts that were moved to the other client.
    const shared = await collectionOf({});
    const own = done(await createAudience({ brand_id: south.brand_id }, shared));
    assert.equal((await changeEmail(email, { filter_id: own.id })).status, 200);
    await giveAway(shared, north);
    assert.match((await findBlock(email, 'audience')) ?? '', /contacts of the audience .* belong to another/);
  });

  test('a copy for another client keeps its words, and forgets their template', async () => {
    const template = await createTemplate({ client_id: north.client_id });
    const email = await createEmail(north);
    done(await changeEmail(email, { template_id: template.id }));
    const copy = await make(`/touchpoints/${email}/duplicate`, {
      name: 'Copy',
      campaign_id: south.campaign_id,
    });
    const { template_id, mjml } = done(await ask<TouchpointEmail>('GET', `/touchpoints/${copy}/email`));
    assert.deepEqual([template_id, mjml], [null, template.mjml]);
  });

  /** Bypasses the check that would reject it. */
  const giveAway = (collection: string, { client_id }: Branch) =>
    updateRows(app.owner, 'content_collections', { organization_id, collection }, { client_id });

  test('a send fails when its contacts change their client', async () => {
    const collection = await collectionOf({});
    const template = await createTemplate({});
    const filter = done(await createAudience({ brand_id: south.brand_id }, collection));
    const email = await createEmail(south);
    const content = { subject: 'Hello', from_email: 'news@south.example' };
    done(await changeEmail(email, { ...content, filter_id: filter.id, template_id: template.id }));
    const { id } = done(await ask<Send>('POST', `/touchpoints/${email}/sends`, { immediately: true }));
    await giveAway(collection, north);
    const ref = { organizationId: organization_id, sendId: id };
    assert.equal(await prepareSend(app.services.db, mailboxPolicies, ref), undefined);
    const send = done(await ask<Send>('GET', `/sends/${id}`));
    assert.deepEqual([send.status, send.error?.code], ['failed', 'contacts_of_other_client']);
    const deliveries = await listRows(app.owner, 'deliveries', ['seq'], { send_id: id });
    assert.deepEqual(deliveries, []);
  });

  test('content in use cannot move to another client', async () => {
    const shared = await collectionOf({});
    const audience = done(await createAudience({}, shared));
    const email = await createEmail(south);
    done(await changeEmail(email, { filter_id: audience.id }));
    const collectionPath = `/content/${organization_id}/collections/${shared}`;
    const { name } = done(await ask<{ name: string }>('GET', `/touchpoints/${email}`));
    const ofNorth = { client_id: north.client_id };
    for (const [path, used] of [
      [collectionPath, { kind: 'audience', id: audience.id, name: audience.name }],
      [`/filters/${audience.id}`, { kind: 'email', id: email, name }],
    ] as const) {
      const refused = await ask<{ data: unknown }>('PATCH', path, ofNorth);
      assertProblem(refused, 409, 'owner_in_use');
      assert.deepEqual(refused.body.data, { used_by: [used], count: 1 });
    }
    // Everything that uses it can be moved to the same client, from the bottom up.
    const ofSouth = { client_id: south.client_id };
    for (const path of [`/filters/${audience.id}`, collectionPath]) done(await ask('PATCH', path, ofSouth));
    const refused = await ask<{ data: unknown }>('PATCH', `/filters/${audience.id}`, { brand_id: null });
    assertInvalid(refused, 'client_id');
    assert.equal(await findBlock(email, 'audience'), undefined);
  });

  test('an opt-out applies to the client of the list', async () => {
    const collection = await collectionOf({ client_id: north.client_id });
    const email = `out@${collection.replaceAll('_', '-')}.example`;
    await addContact(collection, { email, unsubscribed: true });
    const stored = await listRows(app.owner, 'choices', ['brand_id'], {
      kind: 'suppression',
      address_key: email,
    });
    assert.deepEqual(stored, [{ brand_id: north.brand_id }]);
  });

  test('guests see only content of their client', async () => {
    const guest = await signInGuest(app, organization_id, [north.client_id]);
    const shared = await collectionOf({});
    const own = await collectionOf({ client_id: north.client_id });
    const [used, unused, ofNorth] = [
      await createTemplate({}),
      await createTemplate({}),
      await createTemplate({ client_id: north.client_id }),
    ];
    const email = await createEmail(north);
    const filter = done(await createAudience({ brand_id: north.brand_id }, shared));
    done(
      await changeEmail(email, {
        filter_id: filter.id,
        template_id: used.id,
        subject: 'Hello',
        from_email: 'news@north.example',
      }),
    );
    const get = (path: string) => ask<Record<string, unknown>>('GET', path, undefined, guest);
    const content = `/content/${organization_id}`;
    const { data } = done(await get(`${content}/collections`)) as unknown as { data: Collection[] };
    const seen = data.map(({ collection }) => collection);
    assert.deepEqual([seen.includes(own), seen.includes(shared)], [true, false]);
    assert.equal((await get(`${content}/items/${own}`)).status, 200);
    assertProblem(await get(`${content}/items/${shared}`), 404, 'not_found');
    // The email has its own copy of what it began from.
    for (const [template, status] of [
      [ofNorth, 200],
      [used, 404],
      [unused, 404],
    ] as const)
      assert.equal((await get(`${content}/templates/${template.id}`)).status, status);
    const review = done(await get(`/touchpoints/${email}/review`)) as unknown as Review;
    assert.deepEqual(
      review.checks.filter(({ level }) => level === 'block'),
      [],
      'the email can be sent',
    );
    assert.equal(review.audience_breakdown, null, 'the number of shared contacts is not told');
  });
});
