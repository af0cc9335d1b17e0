import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { maxReactionsOfContact } from '@reachout/contract/rules/event-graph.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { aboutMessage, type MessageEvent, type VisitorEvent } from '../../events/event.ts';
import { storeEvents } from '../../events/store-events.ts';
import { bindVisitors } from '../../insight/tracking/bind-visitors.ts';
import { createLog } from '../../platform/log.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { beginImport } from '../../content/built-in/upsert-items.queries.ts';
import { execute, inOrganization, onlyRowOf, rowsOf } from '../../platform/database/database.ts';
import { buildEvents, buildVisit } from '../../sample/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { useTestApp, type TestApp } from '../../testing/app.ts';
import {
  buildGraphPart,
  buildListener,
  buildSentCopy,
  listReactions,
  type GraphPart,
} from '../../testing/event-graph.ts';
import { foldAll } from '../../testing/fold.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { buildWebsite } from '../../testing/tracked-website.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { listDueDates } from '../../queue/add-reactions.queries.ts';
import { createBeginnings } from './begin-reactions.ts';
import { applyBounces, applyComplaints } from '../returned-mail/apply-reports.ts';
import { releaseOnce } from './release-reactions.ts';

suite('reactions to events', () => {
  const app = useTestApp();
  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));
  const reactionsOf = ({ organizationId }: ReadyEmail) => listReactions(app.owner, organizationId);
  const arrived = (subject: string) =>
    sink.taken
      .filter(({ raw }) => raw.includes(`Subject: ${subject}`))
      .map(({ recipient }) => recipient)
      .toSorted();
  const waitForStates = (email: ReadyEmail, states: Record<string, number>) =>
    waitUntil(`reactions are ${JSON.stringify(states)}`, async () => {
      const rows = await reactionsOf(email);
      const counts = Object.fromEntries(
        [...Map.groupBy(rows, ({ state, reason }) => reason ?? state)].map(([key, of]) => [key, of.length]),
      );
      return isDeepStrictEqual(counts, states) ? rows : undefined;
    });
  const sendNow = (email: ReadyEmail) =>
    email.person.ok<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, { immediately: true });
  const booksOf = async (sendId: string) => {
    const { counters, rows } = await countAccounts(app.owner, sendId);
    assert.deepEqual(counters, rows);
  };
  const happen = (
    { organizationId }: ReadyEmail,
    { id: sendId, touchpoint_id: touchpointId }: Pick<Send, 'id' | 'touchpoint_id'>,
    events: readonly (Pick<MessageEvent, 'type' | 'seq'> & Partial<MessageEvent>)[],
  ) =>
    app.owner.transaction().execute((trx) =>
      buildEvents(
        trx,
        organizationId,
        events.map(({ type, seq, ...more }) => ({
          ...aboutMessage(type, { organizationId, touchpointId, sendId, seq }, new Date()),
          ...more,
        })),
      ),
    );

  /** An email that was sent to its contacts, which another one listens to. */
  const buildSent = async (part: Partial<GraphPart> & Pick<GraphPart, 'type'>, contacts = 3) => {
    const email = await buildReadyEmail(app, { contacts });
    const second = await buildListener(email, { subject: part.listener ?? 'Second' });
    const send = await buildSentCopy(app, email, contacts);
    const { listenerId, eventId } = await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      ...part,
      listener: second,
    });
    return { email, second, send, listenerId, eventId };
  };
  const release = () => releaseDue(app);

  test('who got an email gets the one that listens to it', async (t) => {
    const email = await buildReadyEmail(app);
    const second = await buildListener(email, { subject: 'After' });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'SEND_EMAIL',
    });
    startProductWorker(t, app, sink);
    const send = await sendNow(email);
    const rows = await waitForStates(email, { sent: 3 });
    await waitUntil('the second email has arrived', () => arrived('After').length === 3);
    assert.deepEqual(
      rows.map(({ contact_id, collection, cause_type, cause_send_id }) => [
        contact_id,
        collection,
        cause_type,
        cause_send_id,
      ]),
      [1, 2, 3].map((number) => [`contact-00000${number}`, 'contacts', 'SEND_EMAIL', send.id]),
    );
    await booksOf(rows[0]!.send_id!);
    assert.match(sink.taken.find(({ raw }) => raw.includes('Subject: After'))?.raw ?? '', /Person \d/);
  });

  test('a bounce, a complaint and an opt-out cause the same by every door', async (t) => {
    const email = await buildReadyEmail(app, { contacts: 7 });
    const second = await buildListener(email, { isActive: false });
    for (const type of ['BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'] as const)
      await buildGraphPart(app.owner, email, { notifier: email.touchpointId, listener: second, type });
    sink.refuse = (recipient) =>
      recipient === 'user1@sink.example' ? { code: 550, text: '5.1.1 no such user' } : undefined;
    t.after(() => void (sink.refuse = () => undefined));
    startProductWorker(t, app, sink);
    const { id: sendId } = await sendNow(email);
    const { organizationId, touchpointId } = email;
    const { sendNumber, states } = await waitUntil('the send is over', async () => {
      const rows = await rowsOf<{ seq: number; contact_id: string; send_number: number }>(app.owner)`
        select d.seq, d.contact_id, s.send_number::int from touchpoint_sends s
        join deliveries d on d.send_id = s.id
        where s.id = ${sendId} and s.end_date is not null`;
      return rows.length === 7
        ? {
            sendNumber: rows[0]!.send_number,
            states: new Map(rows.map(({ seq, contact_id }) => [contact_id, seq])),
          }
        : undefined;
    });
    const seqOf = (number: number) => states.get(`contact-00000${number}`)!;
    const tokenOf = (number: number) =>
      app.services.signer.sign({ sendNumber, seq: seqOf(number) }).unsubscribe;
    const post = (path: string, payload: string) =>
      app.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      });
    await post(`/u/${tokenOf(2)}`, 'List-Unsubscribe=One-Click');
    await post(`/p/${tokenOf(3)}`, 'change=unsubscribe_brand');
    await app.request('PUT', `/api/touchpoints/emails/communication_preferences/${touchpointId}`, {
      body: { token: tokenOf(4), unsubscribed_from: 'brand' },
    });
    const ref = { organizationId, touchpointId, sendId, isTest: false } as SendRef;
    await inOrganization(app.services.db, organizationId, async (trx) => {
      await applyComplaints(trx, ref, new Map([[seqOf(5), { isProven: true }]]));
      await applyBounces(trx, ref, [{ seq: seqOf(6), reply: '550 gone', class: 'address_hard' }]);
    });
    assert.deepEqual(
      (await reactionsOf(email)).map(({ contact_id, cause_type }) => [contact_id.at(-1), cause_type]),
      [
        ['1', 'BOUNCE'],
        ['2', 'UNSUBSCRIBE'],
        ['3', 'UNSUBSCRIBE'],
        ['4', 'UNSUBSCRIBE'],
        ['5', 'COMPLAINT'],
        ['6', 'BOUNCE'],
      ],
    );
  });

  test('opens, clicks and visits cause one reaction each, whatever is repeated', async () => {
    const { email, send, second } = await buildSent({ type: 'OPEN_EMAIL' });
    await buildGraphPart(app.owner, email, { notifier: email.touchpointId, listener: second, type: 'CLICK' });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'CLICK',
      event: '*SHOP.example/spring*',
    });
    await buildGraphPart(app.owner, email, { notifier: email.touchpointId, listener: second, type: 'VISIT' });
    const all = [
      { type: 'OPEN_EMAIL', seq: 1 },
      { type: 'OPEN_EMAIL', seq: 2, isBot: true },
      { type: 'CLICK', seq: 1, linkNo: 2 },
      { type: 'CLICK', seq: 1, linkNo: 0 },
      { type: 'CLICK', seq: 3, linkNo: 0, isBot: true },
      { type: 'VISIT', seq: 1 },
    ] as const;
    await happen(email, send, all);
    await happen(email, send, all);
    const rows = (await reactionsOf(email)).map(({ contact_id, cause_type, cause_link_no, cause_detail }) => [
      contact_id,
      cause_type,
      cause_link_no,
      cause_detail,
    ]);
    assert.deepEqual(
      rows.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
      [
        ['contact-000001', 'CLICK', 0, 'https://shop.example/spring?utm_source=mail'],
        ['contact-000001', 'CLICK', 2, 'https://shop.example/about'],
        ['contact-000001', 'OPEN_EMAIL', null, null],
        ['contact-000001', 'VISIT', null, null],
      ],
    );
  });

  test('a listener hears of what comes first, also from before it was there', async () => {
    const { email, send, second } = await buildSent({ type: 'CLICK', isActive: false });
    await happen(email, send, [{ type: 'CLICK', seq: 1, linkNo: 0 }]);
    assert.deepEqual(await reactionsOf(email), []);
    await buildGraphPart(app.owner, email, { notifier: email.touchpointId, listener: second, type: 'CLICK' });
    await happen(email, send, [
      { type: 'CLICK', seq: 1, linkNo: 0 },
      { type: 'CLICK', seq: 2, linkNo: 0 },
    ]);
    assert.deepEqual(
      (await reactionsOf(email)).map(({ contact_id }) => contact_id),
      ['contact-000002'],
    );
  });

  test('once per contact means once, over all messages', async () => {
    const { email, send } = await buildSent({ type: 'CLICK', event: '*', once: true });
    const other = await buildSentCopy(app, email, 3);
    for (const each of [send, other])
      await happen(email, each, [
        { type: 'CLICK', seq: 1, linkNo: 0 },
        { type: 'CLICK', seq: 1, linkNo: 2 },
      ]);
    assert.equal((await reactionsOf(email)).length, 1);
  });

  test('contacts who get no email have the reason instead', async () => {
    const { email, send } = await buildSent({ type: 'OPEN_EMAIL' }, 6);
    const contact = (number: number) => ({
      organization_id: email.organizationId,
      id: `contact-00000${number}`,
    });
    const merge = (number: number, data: object) =>
      execute(app.owner)`update content_items set data = data || ${JSON.stringify(data)}::jsonb
        where organization_id = ${email.organizationId} and id = ${contact(number).id}`;
    await merge(1, { unsubscribed: true });
    await merge(2, { email: 'nobody' });
    await deleteRows(app.owner, 'content_items', contact(3));
    await insertRows(app.owner, 'choices', {
      organization_id: email.organizationId,
      address_key: 'user4@sink.example',
      kind: 'suppression',
      value: 'manual',
    });
    await happen(
      email,
      send,
      [1, 2, 3, 4, 5, 6].map((seq) => ({ type: 'OPEN_EMAIL', seq }) as const),
    );
    await updateRows(
      app.owner,
      'reactions',
      { organization_id: email.organizationId, contact_id: 'contact-000006' },
      {
        cause_at: new Date(Date.now() - 4 * 86_400_000).toISOString(),
      },
    );
    const since = { updated_at: new Date(Date.now() - 4 * 86_400_000).toISOString() };
    await updateRows(app.owner, 'touchpoint_events', { organization_id: email.organizationId }, since);
    await updateRows(
      app.owner,
      'touchpoint_event_listeners',
      { organization_id: email.organizationId },
      since,
    );
    await release();
    const rows = await reactionsOf(email);
    assert.deepEqual(
      rows.map(({ state, reason }) => reason ?? state),
      ['unsubscribed', 'invalid_address', 'no_contact', 'suppressed', 'sent', 'too_late'],
    );
    const messages = await listRows(app.owner, 'messages', ['contact_id', 'collection'], {
      organization_id: email.organizationId,
    });
    assert.deepEqual(messages, [{ contact_id: 'contact-000005', collection: 'contacts' }]);
  });

  test('what a contact did meanwhile makes a reaction void', async () => {
    const { email, send } = await buildSent({
      type: 'OPEN_EMAIL',
      unless: { event_type: 'CLICK', event: '*about' },
    });
    await happen(
      email,
      send,
      [1, 2, 3].map((seq) => ({ type: 'OPEN_EMAIL', seq }) as const),
    );
    await happen(email, send, [
      { type: 'CLICK', seq: 1, linkNo: 2 },
      { type: 'CLICK', seq: 2, linkNo: 0 },
    ]);
    await release();
    assert.deepEqual(
      (await reactionsOf(email)).map(({ state, reason }) => reason ?? state),
      ['unless', 'sent', 'sent'],
    );
  });

  test('whatever the loop, a contact gets at most the limit', async () => {
    const { email, send } = await buildSent({ type: 'OPEN_EMAIL' });
    const others = [];
    for (let count = 1; count < maxReactionsOfContact + 2; count += 1)
      others.push(await buildSentCopy(app, email, 3));
    for (const each of [send, ...others]) await happen(email, each, [{ type: 'OPEN_EMAIL', seq: 1 }]);
    await release();
    await waitForStates(email, { sent: maxReactionsOfContact, contact_limit: 2 });
    const later = await buildSentCopy(app, email, 3);
    await happen(email, later, [{ type: 'OPEN_EMAIL', seq: 1 }]);
    await release();
    await waitForStates(email, { sent: maxReactionsOfContact, contact_limit: 3 });
  });

  test('what is due in quiet hours waits for their end, in the zone of the contact', async () => {
    const { email, send } = await buildSent({ type: 'OPEN_EMAIL', quiet: true });
    const hour = new Date().getUTCHours();
    const at = (hours: number) => `${String((hour + hours + 24) % 24).padStart(2, '0')}:00`;
    await updateRows(
      app.owner,
      'brands',
      { id: email.brandId },
      {
        time_zone: 'UTC',
        quiet_hours_start: at(-1),
        quiet_hours_end: at(2),
      },
    );
    await execute(app.owner)`update content_items set data = data || '{"time_zone":"Pacific/Kiritimati"}'
      where organization_id = ${email.organizationId} and id = 'contact-000001'`;
    await execute(app.owner)`insert into content_fields (organization_id, collection, field, type)
      select ${email.organizationId}, 'contacts', 'time_zone', 'string' on conflict do nothing`;
    await happen(
      email,
      send,
      [1, 2].map((seq) => ({ type: 'OPEN_EMAIL', seq }) as const),
    );
    await release();
    const rows = await reactionsOf(email);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['sent', 'waiting'],
    );
    assert.equal(new Date(rows[1]!.due_at).toISOString().slice(11, 16), at(2));
  });

  test('a paused email keeps its reactions until it goes on', async () => {
    const { email, send, second } = await buildSent({ type: 'OPEN_EMAIL' });
    const { id } = await onlyRowOf<{ id: string }>(app.owner)`
      select id from touchpoint_sends where touchpoint_id = ${second} and kind = 'triggered'`;
    await email.person.ok('POST', `/api/sends/${id}/pause`);
    await happen(email, send, [{ type: 'OPEN_EMAIL', seq: 1 }]);
    await release();
    await waitForStates(email, { waiting: 1 });
    await email.person.ok('POST', `/api/sends/${id}/resume`);
    await release();
    await waitForStates(email, { sent: 1 });
  });

  test('what stops an email takes back what waits and what is queued', async () => {
    const { email, send, second } = await buildSent({ type: 'OPEN_EMAIL' });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'VISIT',
      delay: 'P3D',
    });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'CLICK',
      action: 'stop_email',
    });
    await happen(
      email,
      send,
      [1, 2].flatMap((seq) => [{ type: 'OPEN_EMAIL', seq } as const, { type: 'VISIT', seq } as const]),
    );
    await release();
    await waitForStates(email, { sent: 2, waiting: 2 });
    await happen(email, send, [{ type: 'CLICK', seq: 1, linkNo: 0 }]);
    await release();
    const rows = await waitForStates(email, { sent: 1, waiting: 1, stopped: 2, done: 1 });
    const sendId = rows.find(({ state }) => state === 'sent')!.send_id!;
    await booksOf(sendId);
    assert.equal((await countAccounts(app.owner, sendId)).rows['suppressed'], 1);
  });

  test('a stop also reaches a paused email, and what is folded after it', async () => {
    const { email, send, second } = await buildSent({ type: 'OPEN_EMAIL' });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'CLICK',
      action: 'stop_email',
    });
    await happen(email, send, [{ type: 'OPEN_EMAIL', seq: 1 }]);
    await release();
    const { id } = await onlyRowOf<{ id: string }>(app.owner)`
      select id from touchpoint_sends where touchpoint_id = ${second} and kind = 'triggered'`;
    await email.person.ok('POST', `/api/sends/${id}/pause`);
    await happen(
      email,
      send,
      [1, 2].map((seq) => ({ type: 'CLICK', seq, linkNo: 0 }) as const),
    );
    await release();
    await waitForStates(email, { stopped: 1, done: 2 });
    await email.person.ok('POST', `/api/sends/${id}/resume`);
    await happen(email, send, [{ type: 'OPEN_EMAIL', seq: 2, at: new Date(Date.now() - 600_000) }]);
    await release();
    await waitForStates(email, { stopped: 2, done: 2 });
    await booksOf(id);
  });

  test('addresses are those of the list, whatever audiences of others say', async () => {
    const { email, send } = await buildSent({ type: 'OPEN_EMAIL' });
    await execute(app.owner)`update touchpoint_send_contents set audience = null where send_id = ${send.id}`;
    await execute(app.owner)`update content_items set data = data || '{"boss":"boss@sink.example"}'
      where organization_id = ${email.organizationId}`;
    await execute(app.owner)`insert into content_fields (organization_id, collection, field, type)
      select ${email.organizationId}, 'contacts', 'boss', 'string'`;
    await email.person.ok('POST', '/api/filters', {
      organization_id: email.organizationId,
      name: 'AAA',
      field_mapping: { email: 'boss', unsubscribed: null },
    });
    await execute(
      app.owner,
    )`insert into reactions (organization_id, id, touchpoint_event_id, listener_id, touchpoint_id, action, brand_id,
        collection, contact_id, cause_type, cause_at, due_at)
      select l.organization_id, gen_random_uuid(), l.touchpoint_event_id, l.id, l.listener_touchpoint_id, 'send_email', ${email.brandId},
        'contacts', 'contact-000001', 'ADD_CONTACT', now(), now()
      from touchpoint_event_listeners l where l.organization_id = ${email.organizationId}`;
    await release();
    const rows = await waitForStates(email, { sent: 1 });
    const [delivery] = await listRows(app.owner, 'deliveries', ['address'], { send_id: rows[0]!.send_id! });
    assert.equal(delivery?.address, 'user1@sink.example');
  });

  test('clicks of scanners cancel what still waits because of them', async () => {
    const { email, send, second } = await buildSent({ type: 'CLICK', delay: 'P1D' });
    await buildGraphPart(app.owner, email, {
      notifier: email.touchpointId,
      listener: second,
      type: 'CLICK',
      event: '*',
      delay: 'P1D',
    });
    const early = new Date(Date.now() - 3_600_000);
    const burst = (seq: number) =>
      [0, 1, 2].map((linkNo) => ({ type: 'CLICK', seq, linkNo, at: early }) as const);
    await happen(email, send, [
      ...burst(1),
      { type: 'CLICK', seq: 1, linkNo: 0, at: new Date(early.getTime() + 60_000) },
      ...burst(2),
    ]);
    await waitForStates(email, { waiting: 8 });
    await execute(app.owner)`select review_clicks(100, 0)`;
    await waitForStates(email, { waiting: 2, bot: 6 });
    // The first click of the person behind the scanner.
    await happen(email, send, [{ type: 'CLICK', seq: 2, linkNo: 1 }]);
    const again = await waitForStates(email, { waiting: 4, bot: 4 });
    assert.deepEqual(
      again
        .filter(({ state, contact_id }) => state === 'waiting' && contact_id === 'contact-000002')
        .map(({ cause_link_no }) => cause_link_no),
      [1, 1],
    );
    const rows = again.filter(({ contact_id }) => contact_id === 'contact-000001');
    assert.deepEqual(
      rows
        .filter(({ state }) => state === 'waiting')
        .map(({ contact_id, cause_link_no }) => [contact_id, cause_link_no]),
      [
        ['contact-000001', 0],
        ['contact-000001', 0],
      ],
    );
  });

  suite('of websites', () => {
    const buildSite = async (part: Partial<GraphPart> & Pick<GraphPart, 'type'>) => {
      const email = await buildReadyEmail(app);
      const second = await buildListener(email);
      const send = await buildSentCopy(app, email, 3);
      const website = await buildWebsite(app.owner, {
        organization_id: email.organizationId,
        campaign_id: email.campaignId,
      });
      await buildGraphPart(app.owner, email, { notifier: website.touchpointId, ...part, listener: second });
      const store = (...events: ReturnType<typeof buildVisit>[]) =>
        storeEvents(app.services.trackingPipelined, events, [bindVisitors]);
      const visit = (visitorId: string, minutes: number, more: Partial<VisitorEvent> = {}) =>
        buildVisit(website, { visitorId, at: new Date(Date.now() - 7_200_000 + minutes * 60_000), ...more });
      return {
        email,
        send,
        second,
        website,
        store,
        visit,
        link: (seq: number) => ({ sendId: send.id, seq }),
      };
    };

    test('only people with a signed link cause reactions, once in a session', async () => {
      const { email, store, visit, link } = await buildSite({ type: 'VIEW_PAGE', event: '/pricing*' });
      const [mia, stranger] = [randomUUID(), randomUUID()];
      await store(visit(mia, 0, { message: link(1) }), visit(stranger, 0, { path: '/pricing' }));
      await foldAll(app.owner);
      await store(visit(mia, 1, { path: '/pricing' }), visit(mia, 2, { path: '/pricing/team' }));
      await foldAll(app.owner);
      await store(visit(mia, 3, { path: '/pricing' }), visit(mia, 70, { path: '/pricing' }));
      await foldAll(app.owner);
      const rows = await reactionsOf(email);
      assert.deepEqual(
        rows.map(({ contact_id, cause_detail }) => [contact_id, cause_detail]),
        [
          ['contact-000001', '/pricing'],
          ['contact-000001', '/pricing'],
        ],
      );
    });

    test('a link that arrives after the events that follow it counts for them', async () => {
      const { email, store, visit, link } = await buildSite({ type: 'TRACK', event: 'Order' });
      const mia = randomUUID();
      const order = visit(mia, 5, { type: 'TRACK', name: 'Order' });
      await store(order, visit(mia, 6, { type: 'TRACK', name: 'Other' }));
      await foldAll(app.owner);
      assert.deepEqual(await reactionsOf(email), []);
      await store(visit(mia, 0, { message: link(2) }));
      await foldAll(app.owner);
      await store(order);
      await foldAll(app.owner);
      assert.deepEqual(
        (await reactionsOf(email)).map(({ contact_id }) => contact_id),
        ['contact-000002'],
      );
    });

    test('visits are not those of the contact while tracking is stopped', async () => {
      const { email, store, visit, link, website } = await buildSite({ type: 'TRACK', event: 'Stay' });
      await buildGraphPart(app.owner, email, {
        notifier: email.touchpointId,
        listener: website.touchpointId,
        type: 'CLICK',
        event: '*about',
        action: 'stop_tracking',
      });
      await buildGraphPart(app.owner, email, {
        notifier: email.touchpointId,
        listener: website.touchpointId,
        type: 'CLICK',
        event: '*spring*',
        action: 'start_tracking',
      });
      const send = { id: link(1).sendId, touchpoint_id: email.touchpointId };
      const [mia, atHome] = [randomUUID(), randomUUID()];
      const stay = async (visitorId: string) => {
        await store(buildVisit(website, { visitorId, type: 'TRACK', name: 'Stay' }));
        await foldAll(app.owner);
        return (await reactionsOf(email)).filter(({ cause_type }) => cause_type === 'TRACK').length;
      };
      await store(visit(mia, 0, { message: link(1) }));
      assert.equal(await stay(mia), 1);
      await happen(email, send, [{ type: 'CLICK', seq: 1, linkNo: 2 }]);
      await release();
      assert.equal(await stay(mia), 1);
      await store(buildVisit(website, { visitorId: atHome, message: link(1) }));
      assert.equal(await stay(atHome), 1);
      await happen(email, send, [{ type: 'CLICK', seq: 1, linkNo: 0 }]);
      await release();
      await store(buildVisit(website, { visitorId: atHome, message: link(1) }));
      assert.equal(await stay(atHome), 2);
    });
  });

  suite('to what is known of people', () => {
    const begin = () => createBeginnings(depsOf(app))();
    const buildBeginning = async (part: Partial<GraphPart> & Pick<GraphPart, 'type'>) => {
      const email = await buildReadyEmail(app);
      const second = await buildListener(email, {});
      const { eventId } = await buildGraphPart(app.owner, email, {
        collection: 'contacts',
        ...part,
        listener: second,
      });
      const items = `/api/content/${email.organizationId}/items/contacts`;
      return { email, eventId, items };
    };
    const namesOf = async (email: ReadyEmail) =>
      (await reactionsOf(email)).map(({ contact_id, cause_detail }) => [contact_id, cause_detail]);

    test('a contact that is added or changed begins a reaction, one of a file does not', async () => {
      const added = await buildBeginning({ type: 'ADD_CONTACT' });
      const { data } = await added.email.person.ok<{ data: { id: string } }>('POST', added.items, {
        email: 'new@sink.example',
      });
      await begin();
      assert.deepEqual(await namesOf(added.email), [[data.id, null]]);

      const { email, items } = await buildBeginning({ type: 'CHANGE_FIELD', event: 'country', value: 'AT' });
      const change = (number: number, changes: object) =>
        email.person.ok('PATCH', `${items}/contact-00000${number}`, changes);
      await change(1, { country: 'AT' });
      await change(1, { country: 'AT', first_name: 'Ada' });
      await change(2, { first_name: 'Bea' });
      await change(3, { country: 'CH' });
      await begin();
      await begin();
      assert.deepEqual(await namesOf(email), [['contact-000001', 'country']]);
      await inOrganization(app.services.db, email.organizationId, async (trx) => {
        await beginImport(trx);
        await execute(
          trx,
        )`update content_items set data = data || '{"country":"AT"}' where id = 'contact-000003'
          and organization_id = ${email.organizationId}`;
      });
      await begin();
      assert.equal((await reactionsOf(email)).length, 1);
    });

    test('a date is reached once, from nine o’clock on, also a day late', async () => {
      const { email, eventId } = await buildBeginning({
        type: 'REACH_DATE',
        event: 'birthday',
        isYearly: true,
        days: -7,
      });
      // Where it is nine o'clock now.
      await updateRows(app.owner, 'brands', { id: email.brandId }, { time_zone: zoneAtHour(9) });
      const today = Temporal.Now.plainDateISO(zoneAtHour(9));
      const born = (number: number, date: Temporal.PlainDate) =>
        execute(
          app.owner,
        )`update content_items set data = data || ${JSON.stringify({ birthday: date.with({ year: 1984 }).toString() })}::jsonb
          where organization_id = ${email.organizationId} and id = ${`contact-00000${number}`}`;
      await born(1, today.add({ days: 7 }));
      await born(2, today.add({ days: 6 }));
      await born(3, today.add({ days: 8 }));
      await begin();
      await begin();
      assert.deepEqual(await namesOf(email), [['contact-000001', 'birthday']]);
      await updateRows(
        app.owner,
        'touchpoint_events',
        { id: eventId },
        { looked_up_until: today.subtract({ days: 2 }).toString() },
      );
      await begin();
      assert.deepEqual(await namesOf(email), [
        ['contact-000001', 'birthday'],
        ['contact-000002', 'birthday'],
      ]);
      await updateRows(app.owner, 'brands', { id: email.brandId }, { time_zone: zoneAtHour(8) });
      assert.ok(!(await listDueDates(app.services.db)).some(({ touchpoint_event_id: id }) => id === eventId));
    });
  });
});

const depsOf = ({ services: { db, outbound, secrets } }: TestApp) => ({
  db,
  policies: mailboxPolicies,
  content: { outbound, secrets },
  log: createLog('silent'),
});

/** @returns a time zone in which it is that hour now */
function zoneAtHour(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Lets all reactions happen that are due, as a worker does. */
async function releaseDue(app: TestApp): Promise<void> {
  while (await releaseOnce(depsOf(app)));
}
