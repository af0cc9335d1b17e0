import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { failureLimits } from '@reachout/contract/rules/choices.ts';
import { InboundFull } from '../../email/inbound/inbound-full.ts';
import { complaintsMailbox } from '../../email/inbound/returned-mail.ts';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { execute, valuesOf, type Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { createLog } from '../../platform/log.ts';
import { insertRows } from '../../sample/rows.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { buildSentEmail, storeResults, type SentEmail } from '../../testing/sent-email.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { buildMember, buildUser } from '../../sample/records.ts';
import { startReturnedMailReader, type ReturnedMailReader } from './returned-mail-reader.ts';
import { checkComplaints } from './check-complaints.ts';
import { maxWaitingComplaints } from './returned-mail.queries.ts';
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts';
import { testSecrets } from '../../testing/test-secrets.ts';
import { createInboundStore } from './store-inbound.ts';

const earlier = randomBytes(32);
const signer = createTokenSigner(randomBytes(32), [earlier]);

const dsn = (status: string, diagnostic: string) => `From: MAILER-DAEMON@mx.example
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain

It could not be delivered.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: x-local; mia
Action: failed
Status: ${status}
Diagnostic-Code: smtp; ${diagnostic}

--b1--
`;
const noSuchUser = dsn('5.1.1', '550 5.1.1 no such user');
const about = (address: string) => noSuchUser.replace('x-local; mia', `rfc822; ${address}`);
const fullMailbox = dsn('5.2.2', '552 5.2.2 mailbox full');

const feedback = (returnPath: string) => `From: feedback@provider.example
Content-Type: multipart/report; report-type=feedback-report; boundary="b1"

--b1
Content-Type: text/plain

A complaint.

--b1
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Provider/1.0
Version: 1
Original-Mail-From: <${returnPath}@bounce.example>

--b1
Content-Type: message/rfc822

Subject: News

--b1--
`;

suite('returned mail', () => {
  const database = useSendDatabase();
  let owner: Database;
  let pipelined: PipelinedDatabase;
  let reader: ReturnedMailReader;
  let store: ReturnType<typeof createInboundStore>;
  const unsubscribed: string[] = [];
  before(() => {
    ({ owner, pipelined } = database);
    store = createInboundStore(pipelined);
    reader = start();
  });
  const outbound = createOutboundClient([]);
  after(async () => {
    await reader.close();
    await outbound.close();
  });

  const start = () =>
    startReturnedMailReader({
      db: database.app,
      signer,
      log: createLog(process.env['LOGS'] ?? 'silent'),
      secrets: testSecrets,
      outbound,
      unsubscribe: (token) => {
        unsubscribed.push(token);
        return Promise.resolve();
      },
    });

  const build = async (count: number, of: Parameters<typeof buildSentEmail>[1] = {}): Promise<SentEmail> => {
    const addresses = Array.from({ length: count }, (_, index) => `m${index + 1}.${count}@example.org`);
    const send = await buildSentEmail(owner, { addresses, ...of });
    await storeResults(
      owner,
      send,
      (of.addresses ?? addresses).map(() => 'sent'),
      () => new Date(Date.now() - 60_000).toISOString(),
    );
    return send;
  };
  const returnPath = ({ sendNumber }: SentEmail, seq: number, by = signer) =>
    `b.${by.sign({ sendNumber, seq }).return_path}`;
  const setStatus = async ({ sendId, touchpointId }: SentEmail, status: 'sending' | 'queued') => {
    await updateRows(owner, 'touchpoint_sends', { id: sendId }, { status });
    const isSending = status === 'sending';
    await updateRows(
      owner,
      'touchpoints',
      { id: touchpointId },
      { status: isSending ? 'sending' : 'scheduled' },
    );
    const { campaign_id: id } = await getRow(owner, 'touchpoints', '*', { id: touchpointId });
    await updateRows(owner, 'campaigns', { id }, { status: isSending ? 'running' : 'scheduled' });
  };
  const deliver = (mailbox: string, raw: string) =>
    store({
      mailbox,
      raw: Buffer.from(raw.replaceAll('\n', '\r\n')),
      receivedAt: new Date(),
    });
  const allRead = () =>
    waitUntil(
      'all is read',
      async () => (await listRows(owner, 'returned_mail', ['id'], {})).length === 0,
      15_000,
    );
  const stateOf = async ({ sendId }: SentEmail, seq: number) =>
    await getRow(owner, 'delivery_results', ['state', 'class', 'reply'], { send_id: sendId, seq });
  const choicesOf = async ({ organizationId, sendId }: SentEmail) =>
    (
      await listRows(owner, 'choices', ['kind', 'value', 'address_key', 'brand_id'], {
        organization_id: organizationId,
        send_id: sendId,
      })
    )
      .map(({ kind, value, address_key }) => `${kind} ${value} ${address_key}`)
      .toSorted();
  const eventsOf = ({ sendId }: SentEmail) => valuesOf<string>(owner)`
    select type || ' ' || seq from events where send_id = ${sendId} order by 1`;

  test('a report turns the message into a bounce, and suppresses', async () => {
    const send = await build(20);
    await deliver(returnPath(send, 2), noSuchUser);
    await allRead();
    assert.deepEqual(await stateOf(send, 2), {
      state: 'bounced',
      class: 'address_hard',
      reply: '550 5.1.1 no such user',
    });
    assert.deepEqual(await choicesOf(send), ['suppression bounce m2.20@example.org']);
    assert.deepEqual(await eventsOf(send), ['BOUNCE 2']);
    const { recipients_total_sent_count, recipients_accepted_count, recipients_total_delivery_failed_count } =
      await getRow(owner, 'touchpoint_sends', '*', { id: send.sendId });
    assert.deepEqual(
      [recipients_accepted_count, recipients_total_sent_count, recipients_total_delivery_failed_count],
      [20, 19, 1],
    );
  });

  test('a repeated report and a forged token change nothing', async () => {
    const send = await build(20);
    await deliver(returnPath(send, 2), noSuchUser);
    await allRead();
    await execute(owner)`delete from choices where send_id = ${send.sendId}`;
    await deliver(returnPath(send, 2), noSuchUser);
    await deliver(returnPath(send, 3, createTokenSigner(randomBytes(32))), noSuchUser);
    await deliver(
      `b.${signer.sign({ sendNumber: send.sendNumber + 1_000, seq: 1 }).return_path}`,
      noSuchUser,
    );
    await allRead();
    assert.deepEqual(await eventsOf(send), ['BOUNCE 2']);
    assert.deepEqual(await choicesOf(send), []);
    assert.equal((await stateOf(send, 3)).state, 'sent');
  });

  test('a report of an earlier key is genuine', async () => {
    const send = await build(20);
    await deliver(returnPath(send, 4, createTokenSigner(earlier)), noSuchUser);
    await allRead();
    assert.equal((await stateOf(send, 4)).state, 'bounced');
  });

  test('tests, erased sends and notes stay as they are', async () => {
    const [test_, erased, noted] = [await build(2), await build(2), await build(2)];
    await updateRows(owner, 'touchpoint_sends', { id: test_.sendId }, { kind: 'test' });
    await deliver(returnPath(test_, 1), noSuchUser);
    await execute(owner)`delete from deliveries where send_id = ${erased.sendId}`;
    await execute(owner)`delete from touchpoint_sends where id = ${erased.sendId}`;
    await deliver(returnPath(erased, 1), noSuchUser);
    await deliver(returnPath(noted, 1), noSuchUser.replace('Action: failed', 'Action: delayed'));
    await deliver(
      returnPath(noted, 2),
      'Subject: Out of office\nAuto-Submitted: auto-replied\n\nBack on Monday.\n',
    );
    await allRead();
    for (const send of [test_, noted]) assert.equal((await stateOf(send, 1)).state, 'sent');
    assert.deepEqual(await eventsOf(noted), []);
  });

  /** As if the worker had not stored yet what came of the first of two messages. */
  const dropResult = async ({ sendId }: SentEmail) => {
    await execute(owner)`delete from delivery_results where send_id = ${sendId} and seq = 1`;
    await execute(owner)`
      update touchpoint_sends set recipients_total_sent_count = 1, recipients_accepted_count = 1 where id = ${sendId}`;
  };
  const queueUncertain = async ({ organizationId: organization_id, sendId: send_id }: SentEmail) => {
    await updateRows(owner, 'touchpoint_sends', { id: send_id }, { recipients_uncertain_count: 1 });
    const message = { organization_id, send_id, seq: 1 };
    await insertRows(owner, 'delivery_queue', { ...message, kind: 'uncertain', attempts: 1, uncertain: 1 });
  };

  test('a report waits while its message has no result', async () => {
    const send = await build(2);
    await dropResult(send);
    await deliver(returnPath(send, 1), noSuchUser);
    const waiting = () => listRows(owner, 'returned_mail', ['attempts'], {});
    await waitUntil('it was tried', async () => (await waiting())[0]?.attempts === 1);
    // Its worker says later that nobody knows whether the message was accepted.
    await queueUncertain(send);
    await execute(owner)`update returned_mail set due_at = now()`;
    await allRead();
    assert.equal((await stateOf(send, 1)).state, 'bounced');
  });

  test('an uncertain message that is complained of was accepted', async () => {
    const send = await build(2);
    await dropResult(send);
    await queueUncertain(send);
    await deliver('complaints', feedback(returnPath(send, 1)));
    await allRead();
    assert.equal((await stateOf(send, 1)).state, 'sent');
    assert.deepEqual(await eventsOf(send), ['COMPLAINT 1']);
    const { recipients_accepted_count, recipients_total_sent_count, recipients_uncertain_count } =
      await getRow(owner, 'touchpoint_sends', '*', { id: send.sendId });
    assert.deepEqual(
      [recipients_accepted_count, recipients_total_sent_count, recipients_uncertain_count],
      [2, 2, 0],
    );
  });

  test('a failure of another address does not suppress at once', async () => {
    const send = await build(20);
    await deliver(returnPath(send, 2), about('member@example.org'));
    await deliver(returnPath(send, 3), about('<M3.20@Example.org>'));
    await allRead();
    assert.deepEqual(await choicesOf(send), [
      'failure address_likely m2.20@example.org',
      'suppression bounce m3.20@example.org',
    ]);
    assert.equal((await stateOf(send, 2)).class, 'address_likely');
  });

  test('soft failures suppress when several sends have failed', async () => {
    const addresses = ['full@example.org'];
    const { sends, overDays } = failureLimits.mailbox_full;
    const first = await build(1, { addresses });
    const more = [];
    while (more.length < sends - 1)
      more.push(
        await build(1, { addresses, organizationId: first.organizationId, touchpointId: first.touchpointId }),
      );
    for (const send of [first, ...more.slice(0, -1)]) {
      await deliver(returnPath(send, 1), fullMailbox);
      await allRead();
      assert.deepEqual(await choicesOf(send), ['failure mailbox_full full@example.org']);
    }
    await execute(owner)`
      update choices set changed_at = now() - make_interval(days => ${overDays}) where send_id = ${first.sendId}`;
    const last = more.at(-1)!;
    await deliver(returnPath(last, 1), fullMailbox);
    await allRead();
    assert.deepEqual(await choicesOf(last), [
      'failure mailbox_full full@example.org',
      'suppression bounce full@example.org',
    ]);
  });

  test('rejections of the sender blame no address, and pause', async () => {
    const send = await build(60);
    await setStatus(send, 'sending');
    for (let seq = 1; seq <= 20; seq += 1)
      await deliver(returnPath(send, seq), dsn('5.7.1', '550 5.7.1 blocked, listed by spamhaus.example'));
    await allRead();
    const { status, error } = await getRow(owner, 'touchpoint_sends', '*', { id: send.sendId });
    assert.deepEqual([status, error?.code], ['paused', 'sender_rejected']);
    assert.deepEqual(await choicesOf(send), []);
  });

  test('while nearly everybody is reported, nobody is suppressed', async () => {
    const send = await build(100);
    await setStatus(send, 'sending');
    await deliver(returnPath(send, 99), noSuchUser);
    for (let seq = 1; seq <= 48; seq += 1) await deliver(returnPath(send, seq), noSuchUser);
    await allRead();
    const { status, error } = await getRow(owner, 'touchpoint_sends', '*', { id: send.sendId });
    assert.deepEqual([status, error?.code], ['paused', 'mostly_rejected']);
    // The others of the send are not nearly all: one report of 50 is about its address.
    assert.deepEqual(await choicesOf(send), ['suppression bounce m99.100@example.org']);
    // A member resumes it: it does not pause for the same messages again.
    await setStatus(send, 'sending');
    await deliver(returnPath(send, 49), noSuchUser);
    await allRead();
    assert.equal((await getRow(owner, 'touchpoint_sends', '*', { id: send.sendId })).status, 'sending');
  });

  test('a complaint suppresses for the whole organization, once', async () => {
    const send = await build(20);
    for (let time = 1; time <= 2; time += 1) {
      await deliver('complaints', feedback(returnPath(send, 5)));
      await allRead();
      assert.deepEqual(await eventsOf(send), ['COMPLAINT 5']);
      assert.deepEqual(await choicesOf(send), time === 1 ? ['suppression complaint m5.20@example.org'] : []);
      await execute(owner)`delete from choices where send_id = ${send.sendId}`;
    }
  });

  test('a complaint that names a link alone suppresses, and counts nowhere', async () => {
    const send = await build(20);
    const { unsubscribe } = signer.sign({ sendNumber: send.sendNumber, seq: 5 });
    const link = `List-Unsubscribe: <https://click.example/u/${unsubscribe}>`;
    const forged = feedback('nobody').replace('Subject: News', `Subject: News\n${link}`);
    await deliver('complaints', forged);
    await allRead();
    assert.deepEqual(await choicesOf(send), ['suppression complaint m5.20@example.org']);
    assert.deepEqual(await eventsOf(send), []);
    await deliver('complaints', feedback(returnPath(send, 5)));
    await allRead();
    assert.deepEqual(await eventsOf(send), ['COMPLAINT 5']);
  });

  test('who complains is suppressed, whatever became of the message', async () => {
    const send = await build(20);
    await deliver(returnPath(send, 7), fullMailbox);
    await allRead();
    await deliver('complaints', feedback(returnPath(send, 7)));
    await allRead();
    assert.deepEqual(await eventsOf(send), ['BOUNCE 7']);
    assert.deepEqual(await choicesOf(send), [
      'failure mailbox_full m7.20@example.org',
      'suppression complaint m7.20@example.org',
    ]);
  });

  test('an erased recipient is not named by a later report', async () => {
    const send = await build(20);
    await updateRows(owner, 'deliveries', { send_id: send.sendId, seq: 8 }, { address: '' });
    await deliver(returnPath(send, 8), noSuchUser);
    await allRead();
    assert.deepEqual(await stateOf(send, 8), { state: 'bounced', class: 'address_hard', reply: null });
    assert.deepEqual(await choicesOf(send), []);
  });

  test('failures before a bounce was lifted count no more', async () => {
    const addresses = ['lifted@example.org'];
    const likely = dsn('5.4.1', '550 5.4.1 Recipient address rejected: Access denied');
    const first = await build(1, { addresses });
    const { organizationId, touchpointId } = first;
    const more = async () => await build(1, { addresses, organizationId, touchpointId });
    const fail = async (send: SentEmail) => {
      await deliver(returnPath(send, 1), likely);
      await allRead();
      return await choicesOf(send);
    };
    const failed = 'failure address_likely lifted@example.org';
    assert.deepEqual(await fail(first), [failed]);
    const second = await more();
    assert.deepEqual(await fail(second), [failed, 'suppression bounce lifted@example.org']);
    await execute(owner)`
      with lifted as (delete from choices where send_id = ${second.sendId} and value = 'bounce' returning *)
      insert into resubscriptions (organization_id, id, address_key, reason, basis)
      select organization_id, gen_random_uuid(), address_key, value, 'A member says so' from lifted`;
    assert.deepEqual(await fail(await more()), [failed]);
  });

  /** A send that many messages were accepted of, and one that is to come. */
  const buildSends = async (count: number) => {
    const send = await build(20);
    const organization_id = send.organizationId;
    const user = await buildUser(owner);
    await buildMember(owner, { organization_id, user_id: user.id });
    const at = new Date(Math.floor(Date.now() / 900_000) * 900_000).toISOString();
    const { touchpointId: touchpoint_id, sendId: send_id } = send;
    const accepted = {
      organization_id,
      touchpoint_id,
      send_id,
      at,
      state: 'accepted',
      class: '',
      count,
    };
    await insertRows(owner, 'delivery_result_totals', accepted);
    const coming = await build(2, { organizationId: organization_id, touchpointId: touchpoint_id });
    await setStatus(coming, 'queued');
    const complain = async (seq: number) => {
      await deliver('complaints', feedback(returnPath(send, seq)));
      await allRead();
      const mails = await listRows(owner, 'account_email_outbox', ['kind'], { recipient: user.email });
      return [mails.length, (await getRow(owner, 'touchpoint_sends', '*', { id: coming.sendId })).status];
    };
    return { send, coming, complain };
  };

  test('many complaints warn owners, and then pause the brand', async () => {
    const { send, coming, complain } = await buildSends(1_500);
    assert.deepEqual(await complain(1), [0, 'queued']);
    assert.deepEqual(await complain(2), [1, 'queued']);
    assert.deepEqual(await complain(3), [1, 'queued']);
    assert.deepEqual(await complain(4), [1, 'queued']);
    assert.deepEqual(await complain(5), [2, 'held']);
    const { error } = await getRow(owner, 'touchpoint_sends', '*', { id: coming.sendId });
    assert.deepEqual(error, {
      code: 'many_complaints',
      values: { domain: 'nordwind.example', accepted: 1_500, complaints: 5 },
    });
    // A member resumes it, and decides for seven days.
    await setStatus(coming, 'queued');
    assert.deepEqual(await complain(6), [2, 'queued']);
    await execute(owner)`
      update complaint_limits set acted_at = acted_at - interval '7 days' where organization_id = ${send.organizationId}`;
    assert.deepEqual(await complain(6), [3, 'held']);
  });

  test('a limit that was passed unseen is acted on once', async () => {
    const { send, coming, complain } = await buildSends(10_000);
    for (const seq of [1, 2, 3, 4, 5]) assert.deepEqual(await complain(seq), [0, 'queued']);
    await updateRows(
      owner,
      'delivery_result_totals',
      { send_id: send.sendId, state: 'accepted', count: 10_000 },
      { count: 1_500 },
    );
    // As if the process had died before it looked at the limits: the report is read again.
    assert.deepEqual(await complain(5), [1, 'held']);
    await setStatus(coming, 'queued');
    await execute(owner)`delete from complaint_limits where organization_id = ${send.organizationId}`;
    const check = () => checkComplaints(database.app, { ...send, isTest: false });
    await Promise.all([check(), check()]);
    assert.deepEqual(await complain(5), [2, 'held']);
  });

  test('mail to the unsubscribe address unsubscribes by its token', async () => {
    const send = await build(1);
    const { unsubscribe } = signer.sign({ sendNumber: send.sendNumber, seq: 1 });
    await deliver(`u+${unsubscribe}`, 'Subject: unsubscribe\n\n');
    await allRead();
    assert.deepEqual(unsubscribed, [unsubscribe]);
  });

  test('what a process leaves behind is read by the next', async () => {
    await reader.close();
    const send = await build(20);
    await deliver(returnPath(send, 6), noSuchUser);
    // As if it had died after it took the message.
    await execute(owner)`update returned_mail set attempts = 1, due_at = now() + interval '0.2 seconds'`;
    reader = start();
    await allRead();
    assertColumn([await stateOf(send, 6)], 'state', ['bounced']);
  });

  test('what anybody may write has a share of what waits', async () => {
    await reader.close();
    await execute(owner)`
      insert into returned_mail (id, mailbox, raw)
      select gen_random_uuid(), ${complaintsMailbox}, '' from generate_series(2, ${maxWaitingComplaints})`;
    const send = await build(1);
    const storeMore = createInboundStore(pipelined);
    const mail = {
      mailbox: complaintsMailbox,
      raw: Buffer.from('Subject: Spam\r\n'),
      receivedAt: new Date(),
    };
    await storeMore(mail);
    await assert.rejects(storeMore(mail), InboundFull);
    await storeMore({ ...mail, mailbox: returnPath(send, 1) });
    await execute(owner)`delete from returned_mail`;
    reader = start();
  });
});
