import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Send } from '@reachout/contract/sends.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { trackingPolicies, type TrackingPolicy } from '@reachout/contract/statuses.ts';
import { enterChoices } from '../../contacts/consent/choices.queries.ts';
import { trackingChoice } from '../../contacts/consent/choices.ts';
import { execute, rowsOf, inOrganization } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { listRows } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { letQueuedBeDue } from '../../testing/send-fixture.ts';
import { startSmtpSink, type TakenMessage } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const mjml = `<mjml><mj-body><mj-section><mj-column>
<mj-text>Hello {{ contact.first_name }}, <a href="https://shop.example/spring?a=1">see the offers</a>
{% if contact.first_name %}<a href="https://shop.example/for/{{ contact.first_name }}">yours</a>{% endif %}</mj-text>
<mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a> <a href="{{ links.preferences }}">Preferences</a>
<a href="{{ links.view_in_browser }}">View</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`;

suite('tracking policy of a brand', () => {
  const app = useTestApp();

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  const build = async (contacts: number, tracking_policy: TrackingPolicy): Promise<ReadyEmail> => {
    const email = await buildReadyEmail(app, { contacts, mjml });
    await setPolicy(email, tracking_policy);
    return email;
  };
  const call = async <T>(email: ReadyEmail, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    await email.person.ok<T>(method, `/api${path}`, body);
  const setPolicy = (email: ReadyEmail, tracking_policy: TrackingPolicy) =>
    call(email, 'PATCH', `/brands/${email.brandId}`, { tracking_policy });
  const choose = (email: ReadyEmail, number: number, isAllowed: boolean) =>
    inOrganization(app.services.db, email.organizationId, (trx) =>
      enterChoices(trx, email.organizationId, [
        trackingChoice(
          { address_key: `user${number}@sink.example`, brand_id: email.brandId, source: 'member' },
          isAllowed,
        ),
      ]),
    );
  /** Gives the collection a field with the consent of each contact, by number from 1; null: none. */
  const fillField = async ({ organizationId }: ReadyEmail, field: string, values: (boolean | null)[]) => {
    await execute(app.owner)`
      insert into content_fields (organization_id, collection, field, type)
      values (${organizationId}, 'contacts', ${field}, 'boolean')`;
    for (const [index, value] of values.entries())
      await sql`
        update content_items set data = data || ${JSON.stringify({ [field]: value })}::jsonb
        where organization_id = ${organizationId} and collection = 'contacts' and data ->> 'email' = ${`user${index + 1}@sink.example`}
      `.execute(app.owner);
  };
  const start = (email: ReadyEmail, body: object = { immediately: true }) =>
    call<Send>(email, 'POST', `/touchpoints/${email.touchpointId}/sends`, body);
  const waitForEnd = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    waitUntil('the send ends', async () => {
      const send = await call<Send>(email, 'GET', `/sends/${id}`);
      return send.end_date === null ? undefined : send;
    });
  const messagesOf = (email: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(email.brandId));
  const statsOf = async ({ organizationId, touchpointId, ...email }: ReadyEmail) => {
    const path = `/content/${organizationId}/reachout/touchpoint_emails/stats?touchpoint=${touchpointId}`;
    return (await call<{ data: EmailStats }>({ organizationId, touchpointId, ...email }, 'GET', path)).data;
  };
  /** Makes the mail server hold its reply to the message after this many of an email. */
  const holdAfter = (t: TestContext, email: ReadyEmail, count: number) => {
    const gate = Promise.withResolvers<void>();
    const isReached = Promise.withResolvers<void>();
    t.after(() => {
      gate.resolve();
      sink.beforeAnswer = () => Promise.resolve();
    });
    sink.beforeAnswer = async ({ raw }) => {
      if (!raw.includes(email.brandId) || messagesOf(email).length <= count) return;
      isReached.resolve();
      await gate.promise;
    };
    return { isReached: isReached.promise, release: () => gate.resolve() };
  };

  /** field × choice of each contact; the contact of number n is `cases[n - 1]`. */
  const cases = [null, true, false].flatMap((field) =>
    ([null, true, false] as const).map((choice) => ({ field, choice })),
  );
  const isExpected: Record<TrackingPolicy, (of: (typeof cases)[number]) => boolean> = {
    everyone: ({ choice }) => choice !== false,
    with_consent: ({ field, choice }) => choice ?? field ?? false,
    nobody: () => false,
  };

  for (const policy of trackingPolicies)
    test(`${policy}: each choice and field has its message`, async (t) => {
      const email = await build(cases.length, policy);
      await fillField(
        email,
        'tracking_consent',
        cases.map(({ field }) => field),
      );
      for (const [index, { choice }] of cases.entries())
        if (choice !== null) await choose(email, index + 1, choice);
      const { checks, ...review } = await call<Review>(
        email,
        'GET',
        `/touchpoints/${email.touchpointId}/review`,
      );
      startProductWorker(t, app, sink);
      const send = await waitForEnd(email, await start(email));
      const tracked = cases.map((of) => isExpected[policy](of));
      assert.deepEqual(
        cases.map((_, index) => isTracked(messageTo(messagesOf(email), index + 1))),
        tracked,
      );
      const not_measured = tracked.filter((is) => !is).length;
      assert.deepEqual(
        [review.not_measured, send.recipients_not_measured_count],
        [not_measured, not_measured],
      );
      assert.match(
        checks.find(({ check }) => check === 'tracking')?.message ?? '',
        new RegExp(`of ${not_measured} of ${cases.length} recipients`),
      );
      const { delivered, ...stats } = await statsOf(email);
      assert.deepEqual([delivered, stats.not_measured], [cases.length, not_measured]);
      const { counters, rows, totals, results } = await countAccounts(app.owner, send.id);
      assert.deepEqual([counters, totals], [rows, results]);
    });

  test('the field mapping names another field, or none', async (t) => {
    const email = await build(2, 'with_consent');
    await fillField(email, 'agrees', [true, false]);
    const mapping = (tracking_consent: string | null) =>
      call(email, 'PATCH', `/filters/${email.filterId}`, {
        field_mapping: { email: 'email', unsubscribed: 'unsubscribed', tracking_consent },
      });
    await mapping('agrees');
    const worker = startProductWorker(t, app, sink);
    await waitForEnd(email, await start(email));
    assert.deepEqual(
      [1, 2].map((number) => isTracked(messageTo(messagesOf(email), number))),
      [true, false],
    );
    await worker.stop();
    const refused = await email.person.request('PATCH', `/api/filters/${email.filterId}`, {
      field_mapping: { email: 'email', unsubscribed: null, tracking_consent: 'first_name' },
    });
    assert.equal(refused.status, 422);
  });

  test('a withdrawal between snapshot and lease holds', async (t) => {
    // 300 recipients are two chunks of one worker: the second is leased when most of the first have left.
    const email = await build(300, 'with_consent');
    await fillField(
      email,
      'tracking_consent',
      Array.from({ length: 300 }, () => true),
    );
    const hold = holdAfter(t, email, 0);
    startProductWorker(t, app, sink, { inFlightLimit: 8 });
    const started = await start(email);
    await hold.isReached;
    const deliveries = await listRows(app.owner, 'deliveries', ['seq', 'address', 'tracked'], {
      send_id: started.id,
    });
    assert.ok(deliveries.every(({ tracked }) => tracked));
    const last = deliveries.find(({ seq }) => seq === 300)!;
    await choose(email, Number(/\d+/.exec(last.address)![0]), false);
    hold.release();
    const ended = await waitForEnd(email, started);
    assert.deepEqual([ended.recipients_total_sent_count, ended.recipients_not_measured_count], [300, 1]);
    const untracked = messagesOf(email).filter((message) => !isTracked(message));
    assertColumn(untracked, 'recipient', [last.address]);
    const stored = await listRows(app.owner, 'deliveries', ['seq'], { send_id: started.id, tracked: false });
    assertColumn(stored, 'seq', [300]);
  });

  for (const [stricter, kept] of [
    ['with_consent', [true, false]],
    ['nobody', [false, false]],
  ] as const)
    test(`a running send takes over the stricter policy ${stricter}`, async (t) => {
      const email = await build(300, 'everyone');
      // Of the last two contacts, one agrees.
      await fillField(
        email,
        'tracking_consent',
        Array.from({ length: 300 }, (_, index) => index % 2 === 0),
      );
      const hold = holdAfter(t, email, 0);
      startProductWorker(t, app, sink, { inFlightLimit: 8 });
      const started = await start(email);
      await hold.isReached;
      await setPolicy(email, stricter);
      hold.release();
      const ended = await waitForEnd(email, started);
      const leasedLater = await listRows(app.owner, 'deliveries', ['seq', 'address', 'tracking_consent'], {
        send_id: started.id,
      });
      const isKept = (agrees: boolean) => {
        const of = leasedLater.filter(
          ({ seq, tracking_consent }) => seq > 250 && tracking_consent === agrees,
        );
        assert.ok(of.length > 10);
        const found = new Set(
          of.map(({ address }) =>
            isTracked(messagesOf(email).find(({ recipient }) => recipient === address)!),
          ),
        );
        assert.equal(found.size, 1);
        return found.has(true);
      };
      assert.deepEqual([isKept(true), isKept(false)], kept);
      const { counters, rows, totals, results } = await countAccounts(app.owner, ended.id);
      assert.deepEqual([counters, totals], [rows, results]);
      assert.equal(
        ended.recipients_not_measured_count,
        messagesOf(email).filter((message) => !isTracked(message)).length,
      );
      // A looser policy changes nothing about messages that exist.
      assert.ok(ended.recipients_not_measured_count >= 20);
    });

  test('a deferred message, a follow-up, single messages and tests follow the choice', async (t) => {
    const email = await build(3, 'with_consent');
    for (const number of [1, 2, 3]) await choose(email, number, true);
    sink.refuse = (recipient) =>
      recipient.startsWith('user1@')
        ? { code: 451, text: '4.2.0 later' }
        : recipient.startsWith('user2@')
          ? { code: 552, text: '5.3.4 too big' }
          : undefined;
    t.after(() => (sink.refuse = () => undefined));
    startProductWorker(t, app, sink);
    const parent = await start(email);
    await waitUntil('one is deferred', async () => {
      const rows = await rowsOf<{
        kind: string;
      }>(app.owner)`select kind from delivery_queue where send_id = ${parent.id} and kind = 'deferred'`;
      const { recipients_total_sent_count: sent, recipients_total_failed_count: failed } = await call<Send>(
        email,
        'GET',
        `/sends/${parent.id}`,
      );
      return rows.length === 1 && sent === 1 && failed === 1;
    });
    sink.refuse = () => undefined;
    for (const number of [1, 2]) await choose(email, number, false);
    await letQueuedBeDue(app.owner, parent.id);
    const ended = await waitForEnd(email, parent);
    assert.equal(ended.recipients_not_measured_count, 1);
    assert.deepEqual(
      [1, 3].map((number) => isTracked(messageTo(messagesOf(email), number))),
      [false, true],
    );
    await waitForEnd(
      email,
      await call<Send>(email, 'POST', `/sends/${parent.id}/follow_ups`, { immediately: true }),
    );
    assert.equal(isTracked(messageTo(messagesOf(email), 2)), false);

    const single = await build(0, 'with_consent');
    await choose(single, 1, true);
    await start(single, { kind: 'triggered' });
    for (const number of [1, 2])
      await call(single, 'POST', '/messages', {
        organization_id: single.organizationId,
        touchpoint_id: single.touchpointId,
        to: `user${number}@sink.example`,
      });
    await call(single, 'POST', `/touchpoints/emails/${single.touchpointId}/test`, {
      to: single.person.email,
    });
    await waitUntil('they arrive', () => messagesOf(single).length === 3);
    const of = (address: string) =>
      messagesOf(single).find(({ recipient }) => recipient.startsWith(address))!;
    assert.deepEqual([isTracked(of('user1@')), isTracked(of('user2@'))], [true, false]);
    const trial = messagesOf(single).find(({ recipient }) => !recipient.startsWith('user'))!;
    assert.equal(isTracked(trial), false);
  });
});

const messageTo = (messages: readonly TakenMessage[], number: number): TakenMessage =>
  messages.find(({ recipient }) => recipient === `user${number}@sink.example`)!;

/** Every personal token, by the path of its address. @throws AssertionError if a message is neither tracked nor untracked */
function isTracked({ raw }: TakenMessage): boolean {
  const text = raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // Every address of this installation has a personal token, and each of these three stays.
  const kinds = new Set(
    [...text.matchAll(/\/((?:t\/)?[a-z])\/[0-9a-z]+-[0-9a-z]+-[\w-]+/g)].map((match) => match[1]),
  );
  for (const kind of ['u', 'p', 'v']) assert.ok(kinds.delete(kind), `${kind} is missing`);
  assert.match(text, /^List-Unsubscribe: <\S+\/u\/\S+>\r$/m);
  const plain = [
    /<img/,
    /href="https:\/\/shop\.example\/spring\?a=1"/,
    /href="https:\/\/shop\.example\/for\/Person/,
  ].map((pattern) => pattern.test(text));
  if (kinds.size === 0) {
    assert.doesNotMatch(text, /\/t\/[oc]\/|ctm_aid/);
    assert.equal(plain[0], false);
    return false;
  }
  assert.deepEqual(kinds, new Set(['t/c', 't/o']));
  assert.deepEqual(plain, [true, false, false]);
  return true;
}
