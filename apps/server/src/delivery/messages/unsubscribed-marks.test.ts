import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Message } from '@reachout/contract/messages.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { openRemoteContacts } from '../../testing/remote-contacts.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** Whether an address gets the email, by name. */
type Expected = Record<string, boolean>;

suite('opt-outs of sends and single messages', () => {
  const app = useTestApp({ privateHosts: ['127.0.0.1'] });

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));
  const remote = useOpened(() => openRemoteContacts());

  const addressOf = (name: string) => `${name}@sink.example`;
  const callerOf =
    ({ person, organizationId: organization_id }: ReadyEmail) =>
    async <T = { id: string }>(method: 'POST' | 'PATCH' | 'GET', path: string, body?: object): Promise<T> => {
      const isCreated = method === 'POST' && !path.endsWith('/sends');
      const more = body && { body: isCreated ? { organization_id, ...body } : body };
      const response = await app.request<T>(method, `/api${path}`, { as: person, ...more });
      assert.ok(response.status < 300, `${path}: ${JSON.stringify(response.body)}`);
      return response.body;
    };

  /** Creates an active email with the template of another one. */
  const activate = async (email: ReadyEmail, campaign_id: string) => {
    const call = callerOf(email);
    const { id } = await call('POST', '/touchpoints', { campaign_id, name: 'On request', type: 'email' });
    await call('PATCH', `/touchpoints/${id}/email`, {
      template_id: email.templateId,
      subject: 'On request',
      from_email: 'news@nordwind.example',
    });
    await call('POST', `/touchpoints/${id}/sends`, { kind: 'triggered' });
    return id;
  };
  const post = (email: ReadyEmail, touchpoint_id: string, name: string, headers = {}) =>
    app.request<Message>('POST', '/api/messages', {
      as: email.person,
      headers,
      body: { organization_id: email.organizationId, touchpoint_id, to: addressOf(name).toUpperCase() },
    });

  /** Sends an email to its audience, and another one of the brand to each name as a single message. */
  async function assertAgreed(t: TestContext, email: ReadyEmail, expected: Expected): Promise<void> {
    const call = callerOf(email);
    const requested = await activate(email, email.campaignId);
    const { id } = await call<Send>('POST', `/touchpoints/${email.touchpointId}/sends`, {
      immediately: true,
    });
    const messages = await Promise.all(
      Object.keys(expected).map(async (name) => {
        const { status, body } = await post(email, requested, name);
        assert.equal(status, 202, JSON.stringify(body));
        return [name, body.id] as const;
      }),
    );
    const from = sink.taken.length;
    startProductWorker(t, app, sink);
    await waitUntil('the send is completed', async () => {
      const send = await call<Send>('GET', `/sends/${id}`);
      return send.status === 'completed' || undefined;
    });
    const gotSingle: Expected = {};
    for (const [name, message] of messages)
      gotSingle[name] = await waitUntil(`the message to ${name} has a result`, async () => {
        const { state, at } = await call<Message>('GET', `/messages/${message}`);
        return at === null ? undefined : { isSent: state === 'sent' };
      }).then(({ isSent }) => isSent);
    const reached = sink.taken
      .slice(from)
      .flatMap(({ raw, recipient }) => (raw.includes('Subject: On request') ? [] : [recipient]));
    const gotSend = Object.fromEntries(
      Object.keys(expected).map((name) => [name, reached.includes(addressOf(name))]),
    );
    assert.deepEqual({ gotSend, gotSingle }, { gotSend: expected, gotSingle: expected });
  }

  test('marks of all lists count for a single message as for a send', async (t) => {
    const first = await buildReadyEmail(app);
    const call = callerOf(first);
    const { organizationId } = first;
    const client = await call('POST', '/clients', { name: 'South' });
    const listOf = async (owner: object, name: string, fields?: object[]) =>
      (
        await call<{ collection: string }>('POST', `/content/${organizationId}/collections`, {
          ...owner,
          name,
          fields,
        })
      ).collection;
    const add = (list: string, name: string, unsubscribed: boolean) =>
      call('POST', `/content/${organizationId}/items/${list}`, { email: addressOf(name), unsubscribed });
    const [own, shared] = [await listOf({ client_id: client.id }, 'Of South'), 'contacts'];
    const { client_id } = await call<{ client_id: string }>('GET', `/brands/${first.brandId}`);
    const foreign = await listOf({ client_id }, 'Of the other client');
    const repeating = await listOf({ client_id: client.id }, 'With repeated addresses', [
      { field: 'email', type: 'string' },
      { field: 'unsubscribed', type: 'boolean' },
    ]);
    for (const name of ['nowhere', 'shared', 'foreign']) await add(own, name, false);
    await add(own, 'before-brand', true);
    await add(shared, 'shared', true);
    await add(foreign, 'foreign', true);
    for (const unsubscribed of [false, true]) await add(repeating, 'repeated', unsubscribed);

    // The brand is made after its client's contact was marked: no opt-out is stored for it.
    const brand = await call('POST', '/brands', {
      client_id: client.id,
      name: 'South',
      tracking_policy: 'everyone',
    });
    const campaign = await call('POST', '/campaigns', { brand_id: brand.id, name: 'Summer' });
    const filter = await call('POST', '/filters', {
      name: 'Of South',
      client_id: client.id,
      collection: own,
    });
    const touchpoint = await call('POST', '/touchpoints', {
      campaign_id: campaign.id,
      name: 'Summer',
      type: 'email',
    });
    await call('PATCH', `/touchpoints/${touchpoint.id}/email`, {
      template_id: first.templateId,
      filter_id: filter.id,
      subject: 'Summer',
      from_email: 'news@south.example',
    });
    const email = {
      ...first,
      brandId: brand.id,
      campaignId: campaign.id,
      touchpointId: touchpoint.id,
      filterId: filter.id,
    };
    await assertAgreed(t, email, {
      nowhere: true,
      shared: false,
      foreign: true,
      'before-brand': false,
      repeated: false,
    });
  });

  test('marks in a Directus count for a single message as for a send', async (t) => {
    const email = await buildReadyEmail(app, { contacts: 0 });
    for (const name of ['nowhere', 'there', 'left-behind']) await remote.add(1, `${name}-`);
    await execute(remote.owner)`
      update content_items set data = data || '{"unsubscribed": true}' where data ->> 'email' = ${addressOf('there-1')}
    `;
    // A contact of the built-in backend, which is no longer in use.
    await execute(app.owner)`
      insert into content_items (organization_id, collection, id, data) values (${email.organizationId}, 'contacts', 'old',
        jsonb_build_object('email', ${addressOf('left-behind-1')}::text, 'unsubscribed', true))`;
    await execute(app.owner)`
      insert into content_unique_values (organization_id, collection, field, value, item_id)
      values (${email.organizationId}, 'contacts', 'email', ${addressOf('left-behind-1')}, 'old')`;
    await remote.connect(app, email.organizationId, email.person);
    await callerOf(email)('PATCH', `/filters/${email.filterId}`, { rule: { country: { _eq: 'DE' } } });
    await assertAgreed(t, email, { 'nowhere-1': true, 'there-1': false, 'left-behind-1': true });
  });

  test('a single message is refused while its Directus cannot be asked', async (t) => {
    t.after(remote.restart);
    const email = await buildReadyEmail(app, { contacts: 0 });
    await remote.connect(app, email.organizationId, email.person);
    const requested = await activate(email, email.campaignId);
    const accepted = await post(email, requested, 'asked', { 'idempotency-key': 'order 1' });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    remote.isUp = false;
    assertProblem(await post(email, requested, 'unasked'), 424, 'backend_failed');
    // What is refused anyway is not asked about.
    assertProblem(await post(email, email.touchpointId, 'unasked'), 409, 'touchpoint_not_active');
    const repeated = await post(email, requested, 'asked', { 'idempotency-key': 'order 1' });
    assert.deepEqual(repeated.body, accepted.body);
    const rows = await rowsOf<{ contact_id: string }>(app.owner)`
      select contact_id from messages where organization_id = ${email.organizationId}`;
    assert.equal(rows.length, 1);
  });

  test('a mark counts for the messages that were accepted after it', async (t) => {
    t.after(remote.restart);
    const email = await buildReadyEmail(app, { contacts: 0 });
    await remote.add(1, 'later-');
    await remote.connect(app, email.organizationId, email.person);
    const requested = await activate(email, email.campaignId);
    const unmarked = await post(email, requested, 'later-1');
    await execute(remote.owner)`
      update content_items set data = data || '{"unsubscribed": true}' where data ->> 'email' = ${addressOf('later-1')}
    `;
    const marked = await post(email, requested, 'later-1');
    startProductWorker(t, app, sink);
    const states = await waitUntil('both messages have a result', async () => {
      const found = await Promise.all(
        [unmarked, marked].map(({ body }) => callerOf(email)<Message>('GET', `/messages/${body.id}`)),
      );
      return found.some(({ at }) => at === null) ? undefined : found.map(({ state }) => state);
    });
    assert.deepEqual(states, ['sent', 'suppressed']);
  });

  test('a list that the token can no longer read is not taken for one without marks', async () => {
    const email = await buildReadyEmail(app, { contacts: 0 });
    await remote.connect(app, email.organizationId, email.person);
    const requested = await activate(email, email.campaignId);
    await execute(app.owner)`
      update directus_collections set collection = 'gone' where organization_id = ${email.organizationId}
        and collection = 'contacts'`;
    assertProblem(await post(email, requested, 'unasked'), 424, 'backend_failed');
    // The list is not there any more when the collections are listed again.
    await email.person.request('GET', `/api/content/${email.organizationId}/collections`);
    assert.equal((await post(email, requested, 'asked')).status, 202);
  });
});
