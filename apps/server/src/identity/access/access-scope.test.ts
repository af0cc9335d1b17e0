import { sendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { newId } from '../../platform/ids.ts';
import { useTestApp, type Person, type TestResponse } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildCampaign, buildClient, buildFilter, buildSend } from '../../sample/records.ts';
import { signInGuest } from '../../testing/actors.ts';
import {
  memberOperations,
  requiredInput,
  toRequest,
  type MemberOperation,
} from '../../testing/contract-calls.ts';
import { outcomes } from '../../testing/outcomes.ts';
import { sampleInputs } from '../../testing/sample-inputs.ts';
import { buildBranch, type TenantBranch } from '../../testing/tenant-branch.ts';
import { assertInTime } from '../../testing/in-time.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { buildTenant, digestTenant, type Tenant } from '../../testing/tenant.ts';
import { indexContacts } from '../../sample/sends.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { words } from '../../testing/words.ts';

/** Part of every text of the hidden client. */
const marker = 'bbbmarker';
/** Part of what all clients share. */
const sharedMarker = 'everybodymarker';
const unknownId = '01900000-0000-7000-8000-000000000000';

/** Operations that return only numbers, or an image without text, so that no marker can appear. */
const namesNothing = [
  'statistics.recordCounts',
  'statistics.emailMetrics',
  'statistics.emailFailureChart',
  'statistics.emailStats',
  'statistics.emailChart',
  'statistics.emailProviders',
  'statistics.emailFailures',
  'statistics.emailDevices',
  'statistics.websiteStats',
  'statistics.websiteMetrics',
  'statistics.websiteEventChart',
  'statistics.websiteChart',
  'statistics.websiteOverview',
  'statistics.emailCountries',
  // Without the settings of the operator.
  'domains.checkDmarc',
  'domains.checkSpf',
  'domains.checkTracking',
  'schedules.freeTimes',
  'schedules.changes',
  'touchpointEvents.effect',
  'emails.picture',
  'templates.picture',
  'templates.starterPicture',
];

type List = { items: unknown[]; count: number };

const isList = ({ input }: MemberOperation): boolean => input !== undefined && 'page_size' in input.shape;

/** One organization with three clients; the members are limited to the first and the last (TEN-7, TEN-9). */
suite('access scopes of limited members', () => {
  const app = useTestApp();
  let tenant: Tenant;
  /** The same organization from the view of each client: accessible, hidden, accessible. */
  let first: Tenant;
  let hidden: Tenant;
  let last: Tenant;
  let hiddenMarkers: string[];
  let owner: Person;
  const limited: Record<string, Person> = {};

  before(async () => {
    tenant = await buildTenant(app.owner);
    const { organizationId: organization_id } = tenant;
    const branch = async (word: string): Promise<[Tenant, TenantBranch]> => {
      const built = await buildBranch(app.owner, { organization_id, marker: word });
      // Appears in the trash.
      await buildCampaign(app.owner, {
        brand_id: built.brandId,
        name: `Gone ${word}`,
        deleted: true,
        deleted_at: new Date().toISOString(),
      });
      return [{ ...tenant, ...built }, built];
    };
    [first] = await branch('aaa');
    const [hiddenTenant, hiddenBranch] = await branch(marker);
    hidden = hiddenTenant;
    [last] = await branch('ccc');
    hiddenMarkers = [marker, sharedMarker, ...Object.values(hiddenBranch)];
    // Records shared by all clients are hidden from limited members.
    await buildFilter(app.owner, { organization_id, name: sharedMarker });
    await insertRows(app.owner, 'content_collections', {
      organization_id,
      collection: 'contacts',
      label: sharedMarker,
    });
    // Makes each of the sends need attention.
    await updateRows(
      app.owner,
      'touchpoint_sends',
      { organization_id },
      { recipients_total_sent_count: 0, recipients_total_failed_count: 1 },
    );
    owner = await app.signInMember(organization_id);
    const clientIds = [first.clientId, last.clientId];
    const brandIds = [first.brandId, last.brandId];
    limited['a guest of two clients'] = await signInGuest(app, organization_id, clientIds);
    limited['an own role with brands'] = await signInAs([
      { action: 'read', subject: 'Organization' },
      { action: 'read', subject: 'all', conditions: { brand_id: { $in: brandIds } } },
    ]);
    limited['an editor of two clients'] = await signInAs(
      [
        { action: 'read', subject: 'Organization' },
        { action: 'manage', subject: 'all', conditions: { client_id: { $in: '${client_ids}' } } },
      ],
      clientIds,
    );
  });

  const reads = memberOperations.filter(({ method }) => method === 'GET');
  const changes = memberOperations.filter(({ method }) => method !== 'GET');
  const isRecordOperation = ({ access }: MemberOperation) =>
    !['organization_id', 'organizations'].includes(access.tenant);
  const isOfClients = ({ name }: MemberOperation) =>
    name === 'organizations.trash' ||
    outcomes.some(({ operation, what }) => operation === name && /^every member: (lists|records)/.test(what));
  const forEachPerson = (look: (who: string, person: Person) => Promise<void>) =>
    Promise.all(Object.entries(limited).map(([who, person]) => look(who, person)));

  for (const operation of reads) {
    test(`${operation.name} shows no records of other clients`, async () => {
      const byOwner = await ask(operation, inputOf(operation, hidden), owner);
      if (isOfClients(operation) && !namesNothing.includes(operation.name))
        assert.ok(showsHidden(byOwner), 'there is nothing to be hidden');

      await forEachPerson(async (who, person) => {
        const own = inputOf(operation, first);
        const least = requiredInput(operation, own);
        const responses = [
          await ask(operation, inputOf(operation, hidden), person),
          await ask(operation, least, person),
          ...(isDeepStrictEqual(least, own) ? [] : [await ask(operation, own, person)]),
        ];
        for (const answer of responses) {
          assert.ok(!showsHidden(answer), `${who}: ${JSON.stringify(answer.body)}`);
          assert.ok([200, 403, 404, 409].includes(answer.status), `${who}: ${answer.status}`);
        }
        // A record outside of the access scope gets the same response as an unknown one.
        if (isRecordOperation(operation) && responses[0]?.status !== 403) {
          const unknown = await ask(operation, { ...inputOf(operation, hidden), id: unknownId }, person);
          assert.deepEqual([responses[0]?.status, responses[0]?.body], [404, unknown.body], who);
        }
        if (isOfClients(operation) && 'search' in operation.input!.shape && responses[1]?.status === 200) {
          const { body } = await ask<List & { data: unknown[]; meta: { filter_count: number } }>(
            operation,
            { ...least, search: marker },
            person,
          );
          const found = 'data' in body ? { items: body.data, count: body.meta.filter_count } : body;
          assert.deepEqual(
            { items: found.items, count: found.count },
            { items: [], count: 0 },
            `${who} searches`,
          );
        }
      });
    });
  }

  for (const operation of reads.filter((each) => isList(each) && isOfClients(each))) {
    test(`${operation.name} counts and pages only accessible records`, async () => {
      const input = requiredInput(operation, inputOf(operation, first));
      const all = (await ask<List>(operation, { ...input, page_size: 100 }, owner)).body;
      await forEachPerson(async (who, person) => {
        const answer = await ask<List>(operation, { ...input, page_size: 100 }, person);
        if (answer.status === 403) return;
        const { items, count } = answer.body;
        assert.equal(count, items.length, who);
        if (isRecordOperation(operation)) return;
        const mine = all.items
          .filter((item) => isMine(item))
          // Contact details of a client are not for members limited to its brands.
          .map((item) =>
            'client_socials' in (item as object) && who.endsWith('brands')
              ? { ...(item as object), client_socials: [] }
              : item,
          );
        assert.deepEqual(items, mine, who);
        assert.equal(mine.length, 2, 'one of each client');
        for (const [page, item] of mine.entries()) {
          const one = (await ask<List>(operation, { ...input, page_size: 1, page }, person)).body;
          assert.deepEqual(
            { items: one.items, count: one.count },
            { items: [item], count: 2 },
            `${who}, page ${page}`,
          );
        }
        const beyond = (await ask<List>(operation, { ...input, page_size: 1, page: 2 }, person)).body;
        assert.deepEqual({ items: beyond.items, count: beyond.count }, { items: [], count: 2 }, who);
      });
    });
  }

  test('the tested lists include every kind', () => {
    const names = reads
      .filter((operation) => isList(operation) && isOfClients(operation))
      .map(({ name }) => name);
    for (const name of words(`
      clients brands clientsBrands campaigns campaignsTouchpoints touchpoints mailbox
    `))
      assert.ok(names.includes(`${name}.list`), name);
  });

  suite('as the owner', () => {
    /** Lists, metrics and searches, except one that returns no names and is compared with `consent.get` (subscription.routes.test.ts). */
    const filtered = reads.filter(
      ({ name, access, input }) =>
        name !== 'consent.list' &&
        access.tenant === 'organization_id' &&
        input?.shape['client_id']?.safeParse(undefined).success === true,
    );

    /** A contact of all clients, who received the messages of each. */
    const shared = { collection: 'contacts', itemId: newId() };
    before(async () => {
      const { organizationId: organization_id } = tenant;
      await insertRows(app.owner, 'content_items', {
        organization_id,
        collection: shared.collection,
        id: shared.itemId,
        data: JSON.stringify({ email: 'ada@lovelace.example' }),
      });
      await updateRows(app.owner, 'deliveries', { organization_id }, { contact_id: shared.itemId });
      for (const { sendId } of [first, hidden, last]) await indexContacts(app.owner, organization_id, sendId);
    });

    for (const operation of filtered)
      test(`${operation.name} filters records by client`, async () => {
        const least = requiredInput(operation, inputOf(operation, { ...first, ...shared }));
        const shown = async (filter: object) => {
          const { status, body } = await ask(operation, { ...least, ...filter }, owner);
          assert.equal(status, 200, JSON.stringify(body));
          const text = JSON.stringify(body);
          return ['aaa', marker, 'ccc'].filter((word) => new RegExp(`\\b${word}\\b`).test(text));
        };
        assert.deepEqual(await shown({}), ['aaa', marker, 'ccc']);
        assert.deepEqual(await shown({ client_id: first.clientId }), ['aaa']);
        assert.deepEqual(await shown({ client_id: hidden.clientId }), [marker]);
        assert.deepEqual(await shown({ client_id: (await buildClient(app.owner)).id }), []);
      });

    test('the filter covers the lists that screens show', () => {
      const names = filtered.map(({ name }) => name);
      for (const name of words(`
        brands.list campaigns.list campaigns.recent campaignsTouchpoints.list clientsBrands.list
        consent.get content.collections content.imports domains.list filters.list mailbox.list sends.recent
        templates.list touchpoints.list touchpoints.recent
      `))
        assert.ok(names.includes(name), name);
    });
  });

  let digestBefore: Record<string, string> | undefined;
  for (const operation of changes) {
    test(`${operation.name} rejects ids of other clients`, async () => {
      const own = inputOf(operation, first);
      const theirs = inputOf(operation, hidden);
      const foreign = Object.keys(own).filter(
        (key) => JSON.stringify(own[key]) !== JSON.stringify(theirs[key]),
      );
      if (foreign.length === 0) return;
      // All ids of the hidden client, and each of them combined with accessible ones.
      const inputs = [theirs, ...foreign.map((key) => ({ ...own, [key]: theirs[key] }))];
      digestBefore ??= await digestTenant(app.owner, tenant.organizationId);
      await forEachPerson(async (who, person) => {
        for (const input of inputs) {
          const answer = await ask(operation, input, person);
          const told = `${who}: ${answer.status} ${JSON.stringify(answer.body)}`;
          const { code, errors, data } = answer.body as {
            code?: string;
            errors?: { path: string }[];
            data?: { path?: string };
          };
          const isRefused =
            (answer.status === 404 && code === 'not_found') ||
            (answer.status === 403 && code === 'forbidden') ||
            (answer.status === 422 &&
              [...(errors ?? []), { path: data?.path ?? '' }].some(({ path }) =>
                foreign.includes(path.split('.')[0] ?? ''),
              ));
          assert.ok(isRefused, told);
          assert.ok(!showsHidden(answer), told);
        }
      });
    });
  }

  test('refused requests change no row', async () => {
    assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digestBefore);
  });

  test('a limited editor neither adds nor moves a sending domain', async () => {
    const editor = limited['an editor of two clients'];
    const call = async (name: string, input: Record<string, unknown>) => {
      const operation = memberOperations.find((each) => each.name === name)!;
      return (await ask(operation, input, editor)).status;
    };
    const { organizationId: organization_id, clientId: client_id, domainId: id } = first;
    assert.equal(
      await call('domains.create', { organization_id, client_id, domain: 'limited.example' }),
      403,
    );
    assert.equal(await call('domains.update', { id, client_id: last.clientId }), 403);
    assert.equal(await call('domains.update', { id, destination: null }), 200);
  });

  test('a limited editor can change accessible records', async () => {
    const editor = limited['an editor of two clients'];
    for (const name of words(`
      clients.update clients.addresses.create brands.create brands.update campaigns.create
      campaigns.update touchpoints.create touchpoints.update touchpoints.updateEmail websites.update filters.create
      filters.update filters.count templates.create templates.update content.createItem
      content.updateItem content.updateItems content.createCollection content.updateCollection
    `)) {
      const operation = memberOperations.find((each) => each.name === name)!;
      const answer = await ask(operation, inputOf(operation, first), editor);
      assert.ok(answer.status < 300, `${name}: ${JSON.stringify(answer.body)}`);
    }
    const made = await editor!.request('POST', '/api/clients', {
      organization_id: tenant.organizationId,
      name: 'Beyond',
    });
    assertProblem(made, 403, 'forbidden');
  });

  test('each action has its own brand limits', async () => {
    const person = await signInAs([
      { action: 'read', subject: 'Brand', conditions: { brand_id: first.brandId } },
      { action: 'update', subject: 'Brand', conditions: { brand_id: { $eq: last.brandId } } },
    ]);
    const brand = (method: 'GET' | 'PATCH', id: string) =>
      app.request<{ id: string }>(method, `/api/brands/${id}`, {
        as: person,
        ...(method === 'PATCH' ? { body: { name: 'Brand new' } } : {}),
      });
    const list = await person.request<List>('GET', `/api/brands?organization_id=${tenant.organizationId}`);
    assert.deepEqual([list.body.count, (list.body.items[0] as { id: string }).id], [1, first.brandId]);
    assert.equal((await brand('GET', first.brandId)).status, 200);
    assertProblem(await brand('GET', last.brandId), 404, 'not_found');
    assert.equal((await brand('PATCH', last.brandId)).status, 200);
    assertProblem(await brand('PATCH', first.brandId), 404, 'not_found');
    assertProblem(await brand('PATCH', hidden.brandId), 404, 'not_found');
    const path = `/api/clients?organization_id=${tenant.organizationId}`;
    assertProblem(await person.request('GET', path), 403, 'forbidden');
  });

  test('permissions for one brand cannot change its client', async () => {
    const person = await signInAs([
      { action: 'manage', subject: 'Client', conditions: { brand_id: first.brandId } },
    ]);
    const path = `/api/clients/${first.clientId}`;
    await person.ok('GET', path);
    assertProblem(await person.request('PATCH', path, { name: 'Mine' }), 403, 'forbidden');
    assertProblem(await person.request('DELETE', path), 403, 'forbidden');
    const logo = await app.app.inject({
      method: 'POST',
      url: `/api/storage/logos/clients/${first.clientId}`,
      headers: { ...person.headers, 'content-type': 'image/png' },
      payload: await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    });
    assert.equal(logo.statusCode, 403, logo.body);
  });

  test('reading two subjects requires the rules of both', async () => {
    const path = `/api/clients_brands?organization_id=${tenant.organizationId}`;
    const brandIdsFor = async (client: object | undefined, brand: object) => {
      const person = await signInAs([
        { action: 'read', subject: 'Client', conditions: client },
        { action: 'read', subject: 'Brand', conditions: brand },
      ]);
      const body = await person.ok<{ items: { brands: { brand_id: string }[] }[] }>('GET', path);
      return body.items.flatMap(({ brands }) => brands.map(({ brand_id }) => brand_id));
    };
    assert.deepEqual(await brandIdsFor(undefined, { brand_id: first.brandId }), [first.brandId]);
    const both = { client_id: { $in: [first.clientId, last.clientId] } };
    const ofOne = await brandIdsFor(both, { client_id: first.clientId });
    assert.deepEqual([ofOne.includes(first.brandId), ofOne.includes(last.brandId)], [true, false]);
    assert.deepEqual(await brandIdsFor({ client_id: first.clientId }, { client_id: last.clientId }), []);
  });

  test('unknown conditions give no access', async () => {
    const get = (path: string, as: Person) => as.request('GET', path.replace('{}', tenant.organizationId));
    const brands = '/api/brands?organization_id={}';
    const denied: [subject: string, conditions: object, path: string][] = [
      ['Brand', { client_id: { $ne: unknownId } }, brands],
      ['Brand', { client_id: { $nin: [] } }, brands],
      ['Brand', { client_id: null }, brands],
      ['Brand', { name: { $exists: true } }, brands],
      ['Brand', { $or: [{}] }, brands],
      ['Brand', { organization_id: unknownId }, brands],
      ['all', { client_id: first.clientId }, '/api/organizations/{}/members'],
      ['Content', { collection: 'contacts' }, '/api/content/{}/collections'],
    ];
    for (const [subject, conditions, path] of denied) {
      const person = await signInAs([{ action: 'manage', subject, conditions }]);
      assertProblem(await get(path, person), 403, 'forbidden', JSON.stringify([subject, conditions]));
    }
    const fine = await signInAs([
      { action: 'read', subject: 'Brand', conditions: { organization_id: '${organization_id}' } },
    ]);
    assert.equal((await get(brands, fine)).status, 200);
  });

  test('idempotent replays require current access (TEN-7, IDM-1)', async () => {
    const editor = await signInAs(
      [{ action: 'manage', subject: 'all', conditions: { client_id: { $in: '${client_ids}' } } }],
      [first.clientId, last.clientId],
    );
    const rename = () =>
      app.request('PATCH', `/api/clients/${first.clientId}`, {
        body: { name: 'Client aaa' },
        as: editor,
        headers: { 'idempotency-key': 'kept' },
      });
    const done = await rename();
    assert.equal(done.status, 200);
    assert.deepEqual((await rename()).body, done.body);
    await takeAway(editor, first.clientId);
    assertProblem(await rename(), 422, 'idempotency_key_reused');
  });

  test('progress streams end within 5 s of losing access (SES-4)', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const { id } = await buildSend(app.owner, { touchpoint_id: first.touchpointId, status: 'paused' });
    await assertInTime(5_000, () => timeOfLastEvent(port, id));
  });

  /** @returns the milliseconds from losing access to a client until the event stream of one of its sends ends */
  async function timeOfLastEvent(port: number, id: string): Promise<number> {
    const guest = await signInGuest(app, tenant.organizationId, [first.clientId, last.clientId]);
    const response = await fetch(`http://127.0.0.1:${port}/api/sends/${id}/progress`, {
      headers: guest.headers,
    });
    assert.equal(response.status, 200);
    let heard = '';
    let takenAt: number | undefined;
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      heard += chunk;
      if (takenAt !== undefined || !heard.includes(id)) continue;
      await takeAway(guest, first.clientId);
      takenAt = performance.now();
      // Changes from now on must not be reported.
      await updateRows(
        app.owner,
        'touchpoint_sends',
        { id },
        { error: JSON.stringify(sendError('worker_stopped')) },
      );
    }
    const endedAt = performance.now();
    assert.match(heard, /event: error\ndata: .*"code":"not_found"/);
    return endedAt - (takenAt ?? 0);
  }

  const signInAs = (rules: Parameters<typeof signInWithRules>[2], clientIds: string[] = []) =>
    signInWithRules(app, tenant.organizationId, rules, clientIds);

  function inputOf(operation: MemberOperation, of: Tenant): Record<string, unknown> {
    return sampleInputs[operation.name]?.(of) ?? {};
  }

  async function ask<T>(
    operation: MemberOperation,
    input: Record<string, unknown>,
    as: Person | undefined,
  ): Promise<TestResponse<T>> {
    const { method, path, ...rest } = toRequest(operation, input);
    return await app.request<T>(method, path, { ...rest, as });
  }

  function showsHidden({ body }: TestResponse<unknown>): boolean {
    const text = JSON.stringify(body ?? null);
    return hiddenMarkers.some((word) => text.includes(word));
  }

  /** Whether the item belongs to the first or the last client, whose markers all their texts contain. */
  function isMine(item: unknown): boolean {
    return /\b(aaa|ccc)\b/.test(JSON.stringify(item));
  }

  async function takeAway({ userId }: Person, clientId: string): Promise<void> {
    await deleteRows(app.owner, 'organization_user_clients', { user_id: userId, client_id: clientId });
  }
});
