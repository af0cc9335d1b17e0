import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { execute } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { openRemoteContacts } from '../../testing/remote-contacts.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('follow-ups', () => {
  const app = useTestApp({ privateHosts: ['127.0.0.1'] });

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  const request = <T>({ person }: ReadyEmail, method: 'GET' | 'POST', path: string, body?: object) =>
    person.request<T>(method, path, body);
  const followUp = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    request<Send>(email, 'POST', `/api/sends/${id}/follow_ups`, { immediately: true });
  const waitForEnd = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    waitUntil('the send ends', async () => {
      const { body } = await request<Send>(email, 'GET', `/api/sends/${id}`);
      return body.end_date === null ? undefined : body;
    });

  const startFailing = async (t: TestContext, contacts: number, failing: RegExp) =>
    await sendFailing(t, await buildReadyEmail(app, { contacts }), failing);

  async function sendFailing(t: TestContext, email: ReadyEmail, failing: RegExp) {
    startProductWorker(t, app, sink, { smtpConnections: 2 });
    sink.refuse = (recipient) =>
      failing.test(recipient) ? { code: 552, text: '5.3.4 message too big' } : undefined;
    const started = await request<Send>(email, 'POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      immediately: true,
    });
    assert.equal(started.status, 201, JSON.stringify(started.body));
    const parent = await waitForEnd(email, started.body);
    sink.refuse = () => undefined;
    return { email, parent };
  }

  test('a follow-up goes once to failed recipients', async (t) => {
    const { email, parent } = await startFailing(t, 4, /user[23]@/);
    assert.deepEqual([parent.recipients_total_sent_count, parent.recipients_total_failed_count], [2, 2]);

    const from = sink.taken.length;
    const { status, body } = await followUp(email, parent);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.kind, body.parent_send_id], ['follow_up', parent.id]);
    assertProblem(await followUp(email, parent), 409, 'nothing_to_follow_up');
    const ended = await waitForEnd(email, body);
    assert.deepEqual([ended.status, ended.recipients_total_sent_count], ['completed', 2]);
    const { counters, rows } = await countAccounts(app.owner, ended.id);
    assert.deepEqual(counters, rows);
    const copies = sink.taken.slice(from);
    assert.deepEqual(copies.map(({ recipient }) => recipient).toSorted(), [
      'user2@sink.example',
      'user3@sink.example',
    ]);
    assert.equal(new Set(sink.taken.map(({ messageId }) => messageId)).size, 4);
    assert.match(copies[0]!.raw, /^Subject: News for Person [23]\r$/m);
    const path = `/api/touchpoints/${email.touchpointId}`;
    assert.equal((await request<Touchpoint>(email, 'GET', path)).body.status, 'sent');
    const listed = async (query: string) => {
      const list = await request<{ items: Send[]; count: number }>(email, 'GET', `${path}/sends${query}`);
      assert.equal(list.body.count, 2);
      return list.body.items.map(({ id }) => id);
    };
    assert.deepEqual(await listed(''), [ended.id, parent.id]);
    assert.deepEqual(await listed('?order=recipients_total_count.desc'), [parent.id, ended.id]);
    assert.deepEqual(await listed('?order=recipients_total_count.asc'), [ended.id, parent.id]);
    assert.deepEqual(await listed('?page_size=1&page=1'), [parent.id]);
    assertProblem(await followUp(email, ended), 409, 'nothing_to_follow_up');
  });

  test('a follow-up skips contacts that can no longer receive it', async (t) => {
    const { email, parent } = await startFailing(t, 9, /./);
    assert.equal(parent.recipients_total_failed_count, 9);
    const { organizationId } = email;
    const contact = (number: number) => `contact-00000${number}`;
    await execute(app.owner)`
      delete from content_items where organization_id = ${organizationId} and id = ${contact(1)}`;
    await execute(app.owner)`
      update content_items set data = data || '{"unsubscribed": true}'
      where organization_id = ${organizationId} and id = ${contact(2)}`;
    // The old address may belong to another person. The other address differs only by case.
    await execute(app.owner)`
      update content_items set data = data || case id when ${contact(7)} then '{"email": "corrected@sink.example"}'::jsonb
        else '{"email": " USER6@Sink.example"}'::jsonb end
      where organization_id = ${organizationId} and id in (${contact(6)}, ${contact(7)})`;
    // Another contact with the address of the third.
    await execute(app.owner)`
      insert into content_items (organization_id, collection, id, data)
      values (${organizationId}, 'contacts', 'twin', '{"email": "USER3@sink.example", "unsubscribed": true}')
    `;
    // An internationalized domain equals its ASCII form in the address that was used.
    await execute(app.owner)`
      update deliveries set address = 'user8@xn--mnchen-3ya.example' where send_id = ${parent.id} and contact_id = ${contact(8)}`;
    await execute(app.owner)`
      update content_items set data = data || '{"email": "user8@münchen.example"}'
      where organization_id = ${organizationId} and id = ${contact(8)}`;
    await execute(app.owner)`
      insert into choices (kind, organization_id, id, brand_id, address_key, value)
      values ('suppression', ${organizationId}, gen_random_uuid(), ${email.brandId}, 'user4@sink.example', 'unsubscribe')
    `;
    await execute(app.owner)`
      insert into choices (kind, value, organization_id, brand_id, address_key, until, source)
      values ('pause', 'paused', ${organizationId}, ${email.brandId}, 'user9@sink.example', now() + interval '1 day', 'preferences')
    `;

    const from = sink.taken.length;
    const { body } = await followUp(email, parent);
    const ended = await waitForEnd(email, body);
    assert.deepEqual(
      sink.taken
        .slice(from)
        .map(({ recipient }) => recipient)
        .toSorted(),
      ['user5@sink.example', 'user6@sink.example', 'user8@münchen.example'],
    );
    const timeline = `/api/content/${organizationId}/timeline/contacts/${contact(5)}`;
    assert.deepEqual(
      (await request<{ items: { send_id: string }[] }>(email, 'GET', timeline)).body.items.map(
        ({ send_id }) => send_id,
      ),
      [ended.id, parent.id],
    );
    const { counters, rows } = await countAccounts(app.owner, ended.id);
    assert.deepEqual(counters, rows);
    assert.deepEqual([counters.sent, counters.suppressed, ended.recipients_total_count], [3, 0, 3]);
    const { body: excluded } = await request<{ items: Recipient[]; count: number }>(
      email,
      'GET',
      `/api/sends/${ended.id}/deliveries?state=excluded`,
    );
    assert.deepEqual(
      excluded.items.map(({ address, exclusion_reason }) => `${address} ${exclusion_reason}`).toSorted(),
      [
        'user2@sink.example unsubscribed',
        'user3@sink.example unsubscribed',
        'user4@sink.example unsubscribed',
        'user9@sink.example paused',
      ],
    );
  });

  test('a follow-up works with contacts in a Directus', async (t) => {
    const remote = await openRemoteContacts();
    t.after(() => remote.close());
    await remote.add(8, 'person');
    const ready = await buildReadyEmail(app);
    await remote.connect(app, ready.organizationId, ready.person);
    await ready.person.ok('PATCH', `/api/filters/${ready.filterId}`, { rule: { country: { _eq: 'DE' } } });
    const { email, parent } = await sendFailing(t, ready, /person[1-7]@/);
    assert.deepEqual([parent.recipients_total_sent_count, parent.recipients_total_failed_count], [1, 7]);

    const change = (name: string, changes: object) =>
      execute(remote.owner)`
        update content_items set data = data || ${JSON.stringify(changes)}::jsonb
        where data ->> 'email' = ${`${name}@sink.example`}`;
    await execute(remote.owner)`delete from content_items where data ->> 'email' = 'person1@sink.example'`;
    await change('person2', { unsubscribed: true });
    await change('person3', { email: 'corrected@sink.example' });
    // Another contact there has the address of the fourth, and has unsubscribed.
    await remote.add(1, 'twin');
    await change('twin1', { email: 'Person4@Sink.example', unsubscribed: true, country: 'AT' });
    await execute(app.owner)`
      insert into choices (kind, organization_id, id, brand_id, address_key, value)
      values ('suppression', ${email.organizationId}, gen_random_uuid(), ${email.brandId}, 'person5@sink.example', 'unsubscribe')
    `;
    // The rule no longer selects the sixth.
    await change('person6', { country: 'AT' });
    await remote.add(1_600, 'later');

    const from = sink.taken.length;
    remote.pages = [];
    const { body } = await followUp(email, parent);
    const ended = await waitForEnd(email, body);
    assert.deepEqual([ended.status, ended.recipients_total_sent_count], ['completed', 2]);
    assert.deepEqual(
      sink.taken
        .slice(from)
        .map(({ recipient }) => recipient)
        .toSorted(),
      ['person6@sink.example', 'person7@sink.example'],
    );
    assert.ok(remote.pages.length <= 2, 'others are not read');
  });

  test('a cancelled follow-up can be confirmed again', async (t) => {
    const { email, parent } = await startFailing(t, 1, /./);
    const later = () => request<Send>(email, 'POST', `/api/sends/${parent.id}/follow_ups`, {});
    const undo = ({ id }: Send) => request(email, 'POST', `/api/sends/${id}/cancel`);
    const archive = (status: 'archived' | 'draft') =>
      email.person.request('PATCH', `/api/touchpoints/${email.touchpointId}`, { status });
    const first = await later();
    assertProblem(await archive('archived'), 409, 'send_in_progress');
    assert.equal((await undo(first.body)).status, 200);
    const second = await later();
    assert.equal(second.status, 201, JSON.stringify(second.body));
    assert.equal((await undo(second.body)).status, 200);
    assert.equal((await archive('archived')).status, 200);
    assertProblem(await later(), 409, 'invalid_transition');
  });

  test('only ended sends can have a follow-up', async () => {
    const email = await buildReadyEmail(app);
    const { body } = await request<Send>(email, 'POST', `/api/touchpoints/${email.touchpointId}/sends`, {});
    assertProblem(await followUp(email, body), 409, 'nothing_to_follow_up');
    const analyst = await app.signInMember(email.organizationId, 'analyst');
    assertProblem(await followUp({ ...email, person: analyst }, body), 403, 'forbidden');
  });
});
