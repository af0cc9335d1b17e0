import { sendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, suite, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { PrepareMessage } from '../../email/transports/transport.ts';
import type { Database } from '../../platform/database/database.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import {
  buildDueSend,
  fixtureContent,
  letQueuedBeDue,
  type SendFixture,
} from '../../testing/send-fixture.ts';
import { startSmtpSink, type SmtpSink, type TakenMessage } from '../../testing/smtp-sink.ts';
import { countWaiting, waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { prepareSend } from './prepare-send.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

suite('send worker', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let sink: SmtpSink;

  before(() => ({ owner, app } = database));
  beforeEach(async () => {
    sink = await startSmtpSink({ keepMessages: true });
  });
  // The worker of a failed test would continue beside the next tests. Closing the sink ends messages that the test held back.
  afterEach(async () => {
    await sink.close();
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });

  const workers: ReturnType<typeof startSendWorker>[] = [];
  const startWorker = (url = sink.url, inFlightLimit = 64, policies = mailboxPolicies) => {
    const worker = startSendWorker(database, { url, connections: 8, backOffMs: 50, inFlightLimit, policies });
    workers.push(worker);
    return worker;
  };

  const readSend = (fixture: SendFixture) =>
    owner.selectFrom('counted_sends').selectAll().where('id', '=', fixture.sendId).executeTakeFirstOrThrow();

  const waitForEnd = (fixture: SendFixture, limitMs?: number) =>
    waitUntil(
      'the send ends',
      async () => {
        const send = await readSend(fixture);
        return send.end_date === null ? undefined : send;
      },
      limitMs,
    );

  const messagesOf = (fixture: SendFixture, from = 0) =>
    sink.taken.slice(from).filter(({ raw }) => raw.includes(fixture.brandId));

  /** R7.1: the total is the sum over all states, and each counter equals the number of its rows. */
  async function assertBalanced(fixture: SendFixture): Promise<void> {
    const send = await readSend(fixture);
    const { rows } = await sql<{ state: string; n: number }>`
      select state, count(*)::int as n from delivery_results where send_id = ${fixture.sendId} group by state
    `.execute(owner);
    const countOf = (state: string) => rows.find((row) => row.state === state)?.n ?? 0;
    assert.equal(send.recipients_total_sent_count, countOf('sent'));
    assert.equal(send.recipients_total_delivery_failed_count, countOf('bounced'));
    assert.equal(send.recipients_total_failed_count, countOf('failed'));
    assert.equal(send.recipients_suppressed_count, countOf('suppressed'));
    const { n } = await owner
      .selectFrom('delivery_queue')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('send_id', '=', fixture.sendId)
      .where('kind', '=', 'uncertain')
      .executeTakeFirstOrThrow();
    assert.equal(send.recipients_uncertain_count, n);
  }

  test('slow builds leave time for other sends (JOB-3, TPL-2)', async () => {
    const loops = `${'{% for i in (1..1000) %}'.repeat(3)}${'{% endfor %}'.repeat(3)}`;
    const slowMjml = fixtureContent.mjml.replace(
      'Hello',
      `{% if contact.last_name %}${loops}{% endif %}Hello`,
    );
    // As many sends as a worker processes concurrently.
    const slow: SendFixture[] = [];
    for (let count = 0; count < 8; count += 1)
      slow.push(await buildDueSend(owner, { contacts: 200, content: { ...fixtureContent, mjml: slowMjml } }));
    const worker = startWorker();
    await waitUntil('a slow send has begun', async () => {
      const { recipients_total_failed_count } = await readSend(slow[0]!);
      return recipients_total_failed_count > 0 || undefined;
    });
    const quick = await buildDueSend(owner, { contacts: 150 });
    await waitForEnd(quick, 240_000);
    let built = 0;
    for (const send of slow) built += (await readSend(send)).recipients_total_failed_count;
    // Each send pauses after 50 of them: if the fast send had to wait for that, it would be 400.
    assert.ok(built < 100, `${built} slow messages were built meanwhile`);
    await worker.stop();
    for (const send of slow) {
      await updateRows(owner, 'touchpoint_sends', { id: send.sendId }, { status: 'paused' });
      await assertBalanced(send);
    }
  });

  test('each contact gets one message', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    const worker = startWorker();
    const send = await waitForEnd(fixture);
    await worker.stop();
    assert.equal(send.status, 'completed');
    assert.equal(send.recipients_total_count, 600);
    assert.equal(send.recipients_total_sent_count, 600);
    const messages = messagesOf(fixture);
    assert.equal(new Set(messages.map(({ recipient }) => recipient)).size, 600);
    assert.equal(messages.length, 600);
    assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, 600);
    await assertBalanced(fixture);
    const touchpoint = await getRow(owner, 'touchpoints', ['status'], { id: fixture.touchpointId });
    assert.equal(touchpoint.status, 'sent');
  });

  test('rejections bounce, fail or defer a message', async () => {
    const fixture = await buildDueSend(owner, { contacts: 40 });
    sink.refuse = (recipient) => {
      if (recipient === 'user1@sink.example') return { code: 550, text: '5.1.1 no such user' };
      if (recipient === 'user2@sink.example') return { code: 550, text: '5.7.1 content refused' };
      if (recipient === 'user3@sink.example') return { code: 450, text: '4.7.1 greylisted' };
      return undefined;
    };
    const worker = startWorker();
    await waitUntil(
      'all others are sent',
      async () => (await readSend(fixture)).recipients_total_sent_count === 37,
    );
    await waitUntil('the deferred one waits', async () => {
      const rows = await listRows(owner, 'delivery_queue', '*', { send_id: fixture.sendId });
      return rows.length === 1 && rows[0]!.kind === 'deferred' && rows[0]!.worker_id === null;
    });
    const send = await readSend(fixture);
    assert.equal(send.status, 'sending');
    assert.equal(send.recipients_total_delivery_failed_count, 1);
    assert.equal(send.recipients_total_failed_count, 1);
    await assertBalanced(fixture);
    const suppressed = await listRows(owner, 'choices', '*', {
      kind: 'suppression',
      organization_id: fixture.organizationId,
    });
    assert.deepEqual(
      suppressed.map(({ address_key, value }) => [address_key, value]),
      [['user1@sink.example', 'bounce']],
    );
    const events = await listRows(owner, 'events', ['type', 'seq'], { send_id: fixture.sendId });
    assert.equal(events.length, 1);

    sink.refuse = () => undefined;
    await letQueuedBeDue(owner, fixture.sendId);
    const ended = await waitForEnd(fixture);
    await worker.stop();
    assert.equal(ended.status, 'completed');
    assert.equal(ended.recipients_total_sent_count, 38);
    const retried = await listRows(owner, 'delivery_results', ['attempts'], {
      send_id: fixture.sendId,
      attempts: 2,
    });
    assert.equal(retried.length, 1);
    await assertBalanced(fixture);
  });

  /** What recipients of a running send can choose. */
  const choices = {
    unsubscribe: ({ brandId, sendId }) => sql`
      insert into choices (kind, id, organization_id, brand_id, address_key, value)
      select 'suppression', gen_random_uuid(), organization_id, ${brandId}::uuid, lower(address), 'unsubscribe'
      from deliveries where send_id = ${sendId}`,
    'decline the topic': ({ brandId, sendId }) => sql`
      insert into choices (kind, organization_id, brand_id, topic_id, address_key, value, source)
      select 'topic', d.organization_id, ${brandId}::uuid, s.topic_id, lower(d.address), 'not_subscribed', 'preferences'
      from deliveries d join touchpoint_sends s on s.id = d.send_id where d.send_id = ${sendId}`,
    pause: ({ brandId, sendId }) => sql`
      insert into choices (kind, value, organization_id, brand_id, address_key, until, source)
      select 'pause', 'paused', organization_id, ${brandId}::uuid, lower(address), now() + interval '30 days', 'preferences'
      from deliveries where send_id = ${sendId}`,
  } satisfies Record<string, (fixture: SendFixture) => RawBuilder<unknown>>;

  for (const [name, choose] of Object.entries(choices))
    test(`recipients who ${name} get nothing more of a running send (EML-6)`, async () => {
      const fixture = await buildDueSend(owner, { contacts: 400, hasTopic: true });
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let isHeld = false;
      sink.beforeAnswer = async ({ raw }) => {
        if (!raw.includes(fixture.brandId)) return;
        isHeld = true;
        await held;
      };
      const worker = startWorker();
      await waitUntil('the first messages are under way', () => isHeld);
      const claimed = await owner
        .selectFrom('delivery_chunks')
        .select('marked_up_to')
        .where('send_id', '=', fixture.sendId)
        .where('worker_id', 'is not', null)
        .execute();
      const lastClaimed = Math.max(...claimed.map(({ marked_up_to }) => marked_up_to));
      assert.ok(lastClaimed < 400);
      await choose(fixture).execute(owner);
      release();
      const send = await waitForEnd(fixture);
      sink.beforeAnswer = () => Promise.resolve();
      await worker.stop();
      assert.equal(send.recipients_total_sent_count + send.recipients_suppressed_count, 400);
      assert.ok(
        send.recipients_total_sent_count <= lastClaimed,
        `${send.recipients_total_sent_count} left, ${lastClaimed} were claimed`,
      );
      assert.ok(send.recipients_suppressed_count > 0);
      await assertBalanced(fixture);
    });

  test('large messages in flight limit the next builds (TPL-8)', async () => {
    // 2^18 characters that take nine bytes each, in the text and in the HTML: 5 MB.
    const large = `{% capture a %}\u20ac{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(18)}{{ a }}`;
    const worker = startWorker();
    // A worker that has just started sends only a few messages at once.
    await waitForEnd(await buildDueSend(owner, { contacts: 40 }));
    const fixture = await buildDueSend(owner, {
      contacts: 8,
      content: { ...fixtureContent, mjml: fixtureContent.mjml.replace('Hello', large) },
    });
    const answers: (() => void)[] = [];
    let waiting = 0;
    let most = 0;
    sink.beforeAnswer = async () => {
      waiting += 1;
      most = Math.max(most, waiting);
      await new Promise<void>((resolve) => answers.push(resolve));
      waiting -= 1;
    };
    // The next message arrives when one is confirmed, and never before.
    for (let answered = 0; answered < 8; answered += 1) {
      await waitUntil('16 MB are under way', () => answers.length >= Math.min(8, answered + 4));
      answers[answered]!();
    }
    const ended = await waitForEnd(fixture);
    sink.beforeAnswer = () => Promise.resolve();
    await worker.stop();
    assert.equal(most, 4);
    assert.equal(ended.recipients_total_sent_count, 8);
  });

  test('an unreachable mail server costs no attempts', async () => {
    const fixture = await buildDueSend(owner, { contacts: 30 });
    const worker = startWorker('smtp://127.0.0.1:1');
    await waitUntil('the send says what is wrong', async () => (await readSend(fixture)).error !== null);
    const send = await readSend(fixture);
    assert.equal(send.status, 'sending');
    assert.partialDeepStrictEqual(send.error, { code: 'mail_server_away' });
    await worker.stop();

    const from = sink.taken.length;
    const next = startWorker();
    const ended = await waitForEnd(fixture);
    await next.stop();
    assert.equal(ended.recipients_total_sent_count, 30);
    assert.equal(ended.error, null);
    assert.equal(messagesOf(fixture, from).length, 30);
    const attempts = await owner
      .selectFrom('delivery_results')
      .select('attempts')
      .where('send_id', '=', fixture.sendId)
      .where('attempts', '>', 1)
      .execute();
    assert.equal(attempts.length, 0);
  });

  test('a stopped worker repeats nothing', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    const from = sink.taken.length;
    const worker = startWorker();
    await waitUntil('some are sent', () => messagesOf(fixture, from).length > 50);
    await worker.stop();
    const paused = await readSend(fixture);
    assert.ok(paused.recipients_total_sent_count < 600);
    assert.equal(paused.recipients_uncertain_count, 0);
    assert.equal(paused.recipients_total_sent_count, messagesOf(fixture, from).length);
    const next = startWorker();
    const ended = await waitForEnd(fixture);
    await next.stop();
    assert.equal(ended.recipients_total_sent_count, 600);
    assert.equal(messagesOf(fixture, from).length, 600);
    await assertBalanced(fixture);
  });

  async function buildBrokenSend(contacts: number): Promise<SendFixture> {
    const broken = { ...fixtureContent, subject: '{{ contact.first_name }}' };
    const fixture = await buildDueSend(owner, { contacts, content: broken });
    // Longer than any subject.
    await sql`update content_items set data = jsonb_set(data, '{first_name}', to_jsonb(repeat('x', 1001))) where organization_id = ${fixture.organizationId}`.execute(
      owner,
    );
    return fixture;
  }

  test('a send whose messages cannot be built pauses (R7.11)', async () => {
    const fixture = await buildBrokenSend(200);
    const from = sink.taken.length;
    const worker = startWorker();
    const send = await waitUntil('the send pauses', async () => {
      const row = await readSend(fixture);
      assert.notEqual(row.status, 'completed');
      return row.status === 'paused' ? row : undefined;
    });
    await worker.stop();
    await worker.stop();
    assert.deepEqual(send.error, sendError('often_not_built', { count: 50 }));
    const failed = await getRow(owner, 'delivery_results', ['reply', 'error'], { send_id: fixture.sendId });
    assert.deepEqual(failed, {
      reply: null,
      error: sendError('header_too_long', { header: 'Subject', limit: 1000 }),
    });
    const above = await owner
      .selectFrom('touchpoints as t')
      .innerJoin('campaigns as c', 'c.id', 't.campaign_id')
      .where('t.id', '=', send.touchpoint_id)
      .select(['t.status as touchpoint', 'c.status as campaign'])
      .executeTakeFirstOrThrow();
    assert.deepEqual(above, { touchpoint: 'paused', campaign: 'paused' });
    assert.equal(messagesOf(fixture, from).length, 0);
    await assertBalanced(fixture);
  });

  const preparedBy = (prepare: PrepareMessage): SenderPolicies => ({
    ...mailboxPolicies,
    preparationOf: (_trx, _organizationId, from) =>
      Promise.resolve(from === fixtureContent.from_email ? prepare : undefined),
  });

  test('messages wait for their preparation before they leave', async () => {
    const fixture = await buildDueSend(owner, { contacts: 300 });
    const other = await buildDueSend(owner, {
      contacts: 20,
      content: { ...fixtureContent, from_email: 'other@nordwind.example' },
    });
    const mayGoOn = Promise.withResolvers<void>();
    const from = sink.taken.length;
    let waiting = 0;
    startWorker(
      undefined,
      64,
      preparedBy(async ({ message, ...rest }) => {
        waiting += 1;
        await mayGoOn.promise;
        return { ...rest, message: Buffer.concat([Buffer.from('X-Prepared: yes\r\n'), message]) };
      }),
    );
    try {
      await waitUntil('messages are prepared', () => waiting > 0);
      assert.ok(waiting <= 64);
      assert.equal(messagesOf(fixture, from).length, 0);
    } finally {
      mayGoOn.resolve();
    }
    await waitForEnd(fixture);
    await waitForEnd(other);
    const isPrepared = ({ raw }: TakenMessage) => raw.startsWith('X-Prepared: yes');
    assert.equal(messagesOf(fixture, from).filter(isPrepared).length, 300);
    assert.equal(messagesOf(other, from).filter(isPrepared).length, 0);
    await assertBalanced(fixture);
  });

  test('messages in preparation when a worker stops are sent later', async () => {
    const fixture = await buildDueSend(owner, { contacts: 300 });
    const mayGoOn = Promise.withResolvers<void>();
    let waiting = 0;
    const from = sink.taken.length;
    const worker = startWorker(
      undefined,
      64,
      preparedBy(async (message) => {
        waiting += 1;
        await mayGoOn.promise;
        return message;
      }),
    );
    await waitUntil('messages are prepared', () => waiting > 0).catch((error: unknown) => {
      mayGoOn.resolve();
      throw error;
    });
    const stopped = worker.stop();
    mayGoOn.resolve();
    await stopped;
    assert.equal(messagesOf(fixture, from).length, 0);
    startWorker();
    await waitForEnd(fixture);
    assert.equal(messagesOf(fixture, from).length, 300);
    await assertBalanced(fixture);
  });

  test('a preparation that never ends fails its message', async () => {
    const fixture = await buildDueSend(owner, { contacts: 1 });
    const from = sink.taken.length;
    startWorker(
      undefined,
      64,
      preparedBy(() => new Promise(() => undefined)),
    );
    const send = await waitForEnd(fixture, 60_000);
    assert.equal(send.recipients_total_failed_count, 1);
    assert.equal(messagesOf(fixture, from).length, 0);
    await assertBalanced(fixture);
  });

  test('a send whose messages cannot be prepared pauses (R7.11)', async () => {
    const fixture = await buildDueSend(owner, { contacts: 200 });
    const from = sink.taken.length;
    const worker = startWorker(
      undefined,
      64,
      preparedBy(() => Promise.reject(new Error('no key'))),
    );
    const send = await waitUntil('the send pauses', async () => {
      const row = await readSend(fixture);
      return row.status === 'paused' ? row : undefined;
    });
    await worker.stop();
    assert.deepEqual(send.error, sendError('often_not_built', { count: 50 }));
    assert.equal(messagesOf(fixture, from).length, 0);
    await assertBalanced(fixture);
  });

  test('pausing is retried after a lock conflict', async () => {
    const contacts = 600;
    const fixture = await buildBrokenSend(contacts);
    await prepareSend(app, mailboxPolicies, fixture);
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holder = owner.transaction().execute(async (trx) => {
      await sql`
        select from campaigns where organization_id = ${fixture.organizationId} for no key update
      `.execute(trx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const worker = startWorker();
    await waitUntilSomebodyWaits(owner);
    await waitUntil('the first try has failed', async () => (await countWaiting(owner)) === 0);
    assert.equal((await readSend(fixture)).status, 'sending');
    released.resolve();
    await holder;
    const { recipients_total_failed_count } = await waitUntil('the send pauses', async () => {
      const row = await readSend(fixture);
      return row.status === 'paused' ? row : undefined;
    });
    await worker.stop();
    assert.ok(recipients_total_failed_count < contacts);
    await assertBalanced(fixture);
  });
});
