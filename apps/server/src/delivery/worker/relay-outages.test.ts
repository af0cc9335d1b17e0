import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { rowsOf } from '../../platform/database/database.ts';
import { copiesAt } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { readSendError } from '../../testing/send-accounts.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend, type WatchedSend } from '../../testing/watched-send.ts';

// A mail server that is unavailable, rejects everything for a while, or never responds (docs/sending.md).

/** As by default. */
const connections = 16;
const inFlightLimit = 64;
const isFull = process.env['REACHOUT_FULL'] === '1';

suite('mail server outages (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase();

  const errorOf = ({ fixture }: WatchedSend) => readSendError(database.owner, fixture.sendId);

  /** Runs `work` with a worker that connects to its own relay through a proxy. */
  async function withWorker(
    work: (relay: FaultyRelay, proxy: TcpProxy) => Promise<void>,
    timeouts: { command?: number; endOfData?: number } = {},
  ): Promise<void> {
    const relay = await startFaultyRelay();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(relay.url).port) });
    const worker = startSendWorker(database, {
      url: `smtp://127.0.0.1:${proxy.port}`,
      connections,
      backOffMs: 20,
      timeouts,
      inFlightLimit,
    });
    try {
      await work(relay, proxy);
    } finally {
      await worker.stop();
      await proxy.cut();
      await relay.close();
    }
  }

  test('an outage repeats at most one message per connection', async () => {
    await withWorker(async (relay, proxy) => {
      const send = await startWatchedSend(database, { contacts: 300 });
      await waitUntil('some have it', () => relay.copies.size >= 100);
      await proxy.cut();
      await waitUntil('the send says so', async () => (await errorOf(send))?.code === 'mail_server_away');
      await proxy.mend();
      const { counters } = await send.finish();
      const { recipients, repeats, mostCopies } = copiesAt(relay);
      assert.equal(counters.sent, 300);
      assert.equal(recipients, 300);
      assert.ok(mostCopies <= 2);
      assert.ok(repeats <= connections, `${repeats} repeats`);
    });
  });

  const restarts = 5;
  const contacts = isFull ? 5_000 : 600;
  for (const { what, disturb } of [
    {
      what: `is restarted ${restarts} times`,
      disturb: async (relay: FaultyRelay, proxy: TcpProxy) => {
        for (let restart = 1; restart <= restarts; restart += 1) {
          await waitUntil('some more have it', () => relay.copies.size >= (restart * contacts) / 10);
          await proxy.cut();
          await proxy.mend();
        }
      },
    },
    {
      what: 'cuts each of its connections once, one after the other',
      disturb: async (relay: FaultyRelay) => {
        await waitUntil('some have it', () => relay.copies.size >= contacts / 10);
        let cuts = 0;
        relay.behave = (stage) => (stage === 'message' && cuts++ < connections ? 'reset' : undefined);
      },
    },
    {
      what: 'cuts 2 % of its connections in the text',
      disturb: async (relay: FaultyRelay) => {
        let texts = 0;
        relay.behave = (stage) => (stage === 'message' && ++texts % 50 === 0 ? 'reset' : undefined);
        await Promise.resolve();
      },
    },
  ]) {
    test(`a send continues when its mail server ${what}`, async () => {
      await withWorker(async (relay, proxy) => {
        const send = await startWatchedSend(database, { contacts });
        await disturb(relay, proxy);
        const isOver = async () => {
          const accounts = await send.waitUntilResting();
          assert.notEqual(accounts.status, 'paused', JSON.stringify(await errorOf(send)));
          return accounts;
        };
        const { counters: first } = await isOver();
        assert.equal(first.sent + first.uncertain, contacts);
        relay.behave = () => undefined;
        // After a minute, what nobody confirmed is sent once more.
        await send.letMinutesPass(1);
        const { hasEnded, counters } = await isOver();
        assert.ok(hasEnded);
        assert.equal(counters.sent, contacts);
        assert.ok(copiesAt(relay).mostCopies <= 2);
        await send.watch.stop();
      });
    });
  }

  test('a server that confirms nothing pauses the send', async () => {
    await withWorker(async (relay) => {
      const send = await startWatchedSend(database, { contacts: 200 });
      await waitUntil('some have it', () => relay.copies.size >= 60);
      relay.behave = (stage) => (stage === 'message' ? 'reset' : undefined);
      const { counters } = await send.waitFor('it pauses', ({ status }) => status === 'paused');
      assert.equal((await errorOf(send))?.code, 'often_unconfirmed');
      assert.ok(counters.uncertain <= connections + 6, `${counters.uncertain} unclear`);
      relay.behave = () => undefined;
      assert.equal((await send.finish()).counters.sent, 200);
    });
  });

  test('a silent server costs no attempts', async () => {
    await withWorker(
      async (relay) => {
        relay.behave = (stage) => (stage === 'greeting' ? 'silence' : undefined);
        const send = await startWatchedSend(database, { contacts: 20 });
        await waitUntil('the send says so', async () => (await errorOf(send))?.code === 'mail_server_away');
        relay.behave = () => undefined;
        // The bound includes the maximum connect timeout (breaker.ts); here it is two seconds.
        await waitUntil('the next message leaves', () => relay.copies.size > 0, 15_000);
        assert.equal((await send.finish()).counters.sent, 20);
        assert.equal(copiesAt(relay).repeats, 0);
        const rows = await rowsOf<{ most: number }>(database.owner)`
          select max(attempts) as most from delivery_results where send_id = ${send.fixture.sendId}`;
        assert.equal(rows[0]!.most, 1);
      },
      { command: 2_000 },
    );
  });

  test('a server that defers for 30 minutes gets few attempts', async () => {
    await withWorker(async (relay) => {
      relay.behave = (stage) => (stage === 'rcpt' ? '451 4.3.0 not now' : undefined);
      // Fewer attempts than those that make a lane wait.
      const send = await startWatchedSend(database, { contacts: 30 });
      for (let minutes = 0; minutes < 30; minutes += 5) {
        const { counters } = await send.waitUntilResting();
        assert.equal(counters.sent + counters.bounced + counters.failed, 0);
        await send.letMinutesPass(5);
      }
      await send.waitUntilResting();
      const tries = [...relay.tries.values()];
      assert.equal(tries.length, 30);
      assert.ok(Math.min(...tries) >= 3 && Math.max(...tries) <= 5, tries.join(', '));
      relay.behave = () => undefined;
      const { counters } = await send.finish();
      assert.equal(counters.sent, 30);
      assert.equal(copiesAt(relay).repeats, 0);
    });
  });

  test('an unconfirmed message is repeated once', async () => {
    await withWorker(
      async (relay) => {
        relay.behave = (stage, recipient) =>
          stage === 'message' && recipient.startsWith('user5@') ? 'silence' : undefined;
        const send = await startWatchedSend(database, { contacts: 40 });
        // On a busy machine, a good reply may be late as well: that message is sent with its retry.
        for (let hour = 0; hour < 3; hour += 1) {
          await send.waitUntilResting();
          await send.letMinutesPass(60);
        }
        const { counters } = await send.waitUntilResting();
        assert.deepEqual([counters.sent, counters.uncertain], [39, 1]);
        assert.equal(copiesAt(relay).mostCopies, 2);
        relay.behave = () => undefined;
        assert.equal((await send.finish()).counters.sent, 40);
      },
      { endOfData: 1_000 },
    );
  });
});
