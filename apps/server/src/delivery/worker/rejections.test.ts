import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { rowsOf, inOrganization } from '../../platform/database/database.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { aboutSender, missingAddresses, toReply } from '../../testing/rejection-wordings.ts';
import { startScriptedRelay, type RelayScript } from '../../testing/scripted-relay.ts';
import { countAccounts, readSendError } from '../../testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../../testing/send-fixture.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { resumeSend } from '../sends/change-send.ts';

// With the default number of connections: what is in flight counts when a send is to stop in time.
const connections = 16;
const mostTries = 50;

suite('rejections by the mail server (R7.11)', () => {
  const database = useSendDatabase();
  let wakeWorkers: () => Promise<void>;

  before(() => (wakeWorkers = createWaker(database.owner)));

  const startWorker = (url: string, limits = { connections, inFlightLimit: 64 }) =>
    startSendWorker(database, { url, ...limits });

  async function withRelay(
    work: (relay: FaultyRelay) => Promise<void>,
    limits?: { connections: number; inFlightLimit: number },
  ): Promise<void> {
    const relay = await startFaultyRelay();
    const worker = startWorker(relay.url, limits);
    try {
      await work(relay);
    } finally {
      await worker.stop();
      await relay.close();
    }
  }

  const waitForStatus = ({ sendId }: SendFixture, status: string) =>
    waitUntil(`the send is ${status}`, async () => {
      await wakeWorkers();
      const accounts = await countAccounts(database.owner, sendId);
      assert.deepEqual(accounts.rows, accounts.counters);
      return accounts.status === status ? accounts : undefined;
    });

  /** Once nothing is in flight any more. */
  const waitUntilSettled = ({ sendId }: SendFixture) =>
    waitUntil('nothing is in flight', async () => {
      const rows = await rowsOf(database.owner)`
        select from delivery_chunks where send_id = ${sendId} and worker_id is not null`;
      return rows.length === 0;
    });

  const suppressedOf = async ({ organizationId }: SendFixture): Promise<string[]> => {
    const rows = await rowsOf<{ address_key: string }>(database.owner)`
      select address_key from choices where kind = 'suppression' and organization_id = ${organizationId}`;
    return rows.map(({ address_key }) => address_key).toSorted();
  };

  const errorOf = ({ sendId }: SendFixture) => readSendError(database.owner, sendId);

  const resume = ({ organizationId, sendId }: SendFixture) =>
    inOrganization(database.app, organizationId, (trx) => resumeSend(trx, sendId));

  for (const stage of ['rcpt', 'mail'] as const)
    test(`a sender rejected at ${stage} pauses the send`, async () => {
      await withRelay(async (relay) => {
        let replies = 0;
        relay.behave = (at, recipient, sender) => {
          if (at !== stage) return undefined;
          replies += 1;
          return toReply(aboutSender[replies % aboutSender.length]!, { sender, recipient });
        };
        const fixture = await buildDueSend(database.owner, { contacts: 300 });
        await waitForStatus(fixture, 'paused');
        await waitUntilSettled(fixture);
        assert.ok(replies <= mostTries, `${replies} tries`);
        assert.deepEqual(await suppressedOf(fixture), []);
        const error = await errorOf(fixture);
        assert.equal(error?.code, 'sender_rejected');
        assert.match(describeSendError(error), /^The mail server rejects this sender: 5\d\d /);
      });
    });

  test('a sender that most recipients reject pauses the send', async () => {
    await withRelay(async (relay) => {
      relay.behave = (stage, recipient) =>
        stage === 'message' && /[1-7]@/.test(recipient)
          ? '550 5.7.26 This mail is unauthenticated'
          : undefined;
      const fixture = await buildDueSend(database.owner, { contacts: 300 });
      await waitForStatus(fixture, 'paused');
      assert.equal((await errorOf(fixture))?.code, 'sender_rejected');
    });
  });

  test('a server that rejects all recipients pauses the send', async () => {
    await withRelay(async (relay) => {
      let tries = 0;
      relay.behave = (stage, recipient, sender) => {
        if (stage !== 'rcpt') return undefined;
        tries += 1;
        return toReply(missingAddresses[tries % missingAddresses.length]!, { sender, recipient });
      };
      const fixture = await buildDueSend(database.owner, { contacts: 300 });
      for (const round of [1, 2]) {
        await waitForStatus(fixture, 'paused');
        await waitUntilSettled(fixture);
        // A person who resumes has seen it: it takes as much evidence again.
        assert.ok(tries >= round * 30 && tries <= round * mostTries, `${tries} tries in round ${round}`);
        assert.deepEqual(await suppressedOf(fixture), []);
        const error = await errorOf(fixture);
        assert.equal(error?.code, 'mostly_rejected');
        assert.match(
          describeSendError(error),
          /rejected 30 of the last 30 messages.* The server said: 5\d\d /s,
        );
        if (round === 2) relay.behave = () => undefined;
        await resume(fixture);
      }
      const { counters } = await waitForStatus(fixture, 'completed');
      assert.equal(counters.sent, 300 - tries);
      assert.equal(counters.bounced, tries);
    });
  });

  test('late rejections of all recipients pause the send', async () => {
    const deliver = async (relay: FaultyRelay) => {
      // The first rejections are stored while many other connections deliver, whose messages are accepted after that.
      const late = new Set<string>();
      const firstRejected = 30;
      const firstStored = Promise.withResolvers<void>();
      relay.behave = async (stage, recipient) => {
        if (stage === 'message' && late.has(recipient)) await firstStored.promise;
        if (stage !== 'rcpt') return undefined;
        const { size } = relay.tries;
        if (size > 100 && size <= 160) late.add(recipient);
        if (size > 160 + firstRejected) await firstStored.promise;
        return size > 160 ? '550 5.1.1 User unknown' : undefined;
      };
      const fixture = await buildDueSend(database.owner, { contacts: 400 });
      await waitUntil('the first are suppressed', async () => {
        await wakeWorkers();
        return (await suppressedOf(fixture)).length === firstRejected;
      }).finally(firstStored.resolve);
      await waitForStatus(fixture, 'paused');
      await waitUntilSettled(fixture);
      assert.equal((await errorOf(fixture))?.code, 'mostly_rejected');
      assert.deepEqual(await suppressedOf(fixture), []);
    };
    await withRelay(deliver, { connections: 64, inFlightLimit: 256 });
  });

  test('ten bounces do not pause a send', async () => {
    await withRelay(async (relay) => {
      relay.behave = (stage) => (stage === 'rcpt' ? '550 5.1.1 User unknown' : undefined);
      const ten = await buildDueSend(database.owner, { contacts: 10 });
      const few = await buildDueSend(database.owner, { contacts: 2 });
      assert.equal((await waitForStatus(ten, 'completed')).counters.bounced, 10);
      assert.deepEqual(await suppressedOf(ten), []);
      await waitForStatus(few, 'completed');
      assert.equal((await suppressedOf(few)).length, 2);
    });
  });

  test('missing addresses among others are suppressed', async () => {
    await withRelay(async (relay) => {
      // Every third address; some are only rejected after the text.
      const wordingOf = (recipient: string) => {
        const number = Number(/\d+/.exec(recipient)![0]);
        return number % 3 === 0 ? missingAddresses[number / 3 - 1] : undefined;
      };
      relay.behave = (stage, recipient, sender) => {
        const wording = stage === 'rcpt' ? wordingOf(recipient) : undefined;
        if (wording !== undefined) return toReply(wording, { sender, recipient });
        return stage === 'message' && recipient.startsWith('user1@')
          ? '554 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).'
          : undefined;
      };
      const fixture = await buildDueSend(database.owner, { contacts: 150 });
      const { counters } = await waitForStatus(fixture, 'completed');
      const expected = Array.from({ length: missingAddresses.length }, (_, index) => 3 * (index + 1));
      assert.deepEqual(
        await suppressedOf(fixture),
        [1, ...expected].map((number) => `user${number}@sink.example`).toSorted(),
      );
      assert.equal(counters.bounced, expected.length + 1);
      assert.equal(counters.sent, 150 - expected.length - 1);
    });
  });

  const attemptsOf = ({ sendId }: SendFixture) => rowsOf<{ state: string; attempts: number; count: number }>(
    database.owner,
  )`
      select state, attempts, count(*)::int as count from delivery_results where send_id = ${sendId} group by 1, 2`;

  test('messages beyond a session limit need one attempt (R6.6)', async (t) => {
    const takesTen = (): RelayScript => {
      let mails = 0;
      return {
        mail: () => (++mails > 10 ? '452 4.4.5 too many messages in this session\r\n' : '250 ok\r\n'),
        rcpt: () => (mails > 10 ? '503 5.5.1 MAIL first\r\n' : '250 ok\r\n'),
        data: () => (mails > 10 ? '503 5.5.1 MAIL first\r\n' : '354 go\r\n'),
      };
    };
    const relay = await startScriptedRelay(t, ...Array.from({ length: 200 }, takesTen));
    const worker = startWorker(`smtp://127.0.0.1:${relay.port}`);
    const fixture = await buildDueSend(database.owner, { contacts: 300 });
    await waitForStatus(fixture, 'completed');
    await worker.stop();
    assert.deepEqual(await attemptsOf(fixture), [{ state: 'sent', attempts: 1, count: 300 }]);
    assert.ok(relay.connections >= 30, `${relay.connections} connections`);
  });

  test('a busy mail server costs no attempts', async () => {
    await withRelay(async (relay) => {
      let isBusy = true;
      relay.behave = (stage) =>
        stage === 'mail' && isBusy && relay.copies.size >= 40
          ? '452 4.3.1 Insufficient system storage'
          : undefined;
      const fixture = await buildDueSend(database.owner, { contacts: 100 });
      await waitUntil('the send says so', async () => (await errorOf(fixture))?.code === 'mail_server_busy');
      isBusy = false;
      await waitForStatus(fixture, 'completed');
      assert.deepEqual(await attemptsOf(fixture), [{ state: 'sent', attempts: 1, count: 100 }]);
    });
  });
});
