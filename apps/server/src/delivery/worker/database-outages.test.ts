import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { copiesAt, mostRepeatsPerKill } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { openOwnServer } from '../../testing/own-server.ts';
import { startSendWorker } from '../../testing/send-worker.ts';
import { startTcpProxy, throughProxy } from '../../testing/tcp-proxy.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';

// The database is killed, stops responding, or is replaced by another server (docs/sending.md).
const isFull = process.env['REACHOUT_FULL'] === '1';
const contacts = isFull ? 10_000 : 300;
const kills = isFull ? 10 : 1;
const timeout = 300_000;
/** Maximum time from the return of the database until sending continues. */
const longestSilenceMs = 30_000;

suite('database outages (JOB-2, R7.1, R7.3)', () => {
  const server = useOpened(() => openOwnServer());

  /** Its replies are delayed, so that messages are always in flight. */
  const startSlowRelay = async (): Promise<FaultyRelay> => {
    const relay = await startFaultyRelay();
    relay.behave = async (stage) => {
      if (stage === 'message') await delay(Math.random() * 8);
      return undefined;
    };
    return relay;
  };

  const untilArrived = (relay: FaultyRelay, count: number) =>
    waitUntil(`${count} have it`, () => relay.copies.size >= count);

  async function withWorker(work: (relay: FaultyRelay) => Promise<void>): Promise<void> {
    const relay = await startSlowRelay();
    const worker = startSendWorker(server, { url: relay.url, connections: 16, inFlightLimit: 64 });
    try {
      await work(relay);
    } finally {
      await worker.stop();
      await relay.close();
    }
  }

  test('a killed database causes no repeats', { timeout }, async (t) => {
    await withWorker(async (relay) => {
      const send = await startWatchedSend(server, { contacts });
      for (let kill = 1; kill <= kills; kill += 1) {
        await untilArrived(relay, Math.floor((contacts / (kills + 1)) * kill));
        await server.kill();
      }
      const { counters } = await send.finish();
      const { recipients, repeats } = copiesAt(relay);
      t.diagnostic(`${kills} kills: ${repeats} repeats, ${send.watch.mostUncertain} uncertain at most`);
      assert.equal(counters.sent, contacts);
      assert.equal(recipients, contacts);
      assert.equal(repeats, 0);
    });
  });

  test(
    'a silent database is replaced in time',
    { timeout, skip: !isFull && 'takes half a minute: REACHOUT_FULL=1' },
    async (t) => {
      const relay = await startSlowRelay();
      const send = await startWatchedSend(server, { contacts });
      const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
      const worker = startWorkerProcess(
        {
          appUrl: throughProxy(server.appUrl, proxy),
          authUrl: throughProxy(server.authUrl, proxy),
        },
        relay.url,
      );
      await untilArrived(relay, contacts / 4);
      proxy.lose();
      const start = performance.now();
      const count = relay.copies.size;
      // Messages that are already marked may still be sent.
      await untilArrived(relay, count + mostRepeatsPerKill + 1);
      const silenceMs = performance.now() - start;
      t.diagnostic(`It went on after ${silenceMs.toFixed(0)} ms`);
      const { counters } = await send.finish();
      await worker.stop();
      assert.ok(silenceMs < longestSilenceMs);
      assert.equal(counters.sent, contacts);
      assert.equal(copiesAt(relay).recipients, contacts);
      assert.ok(copiesAt(relay).repeats <= mostRepeatsPerKill);
      await proxy.cut();
      await relay.close();
    },
  );

  test('a failover loses and repeats no message', { timeout }, async (t) => {
    const failOver = await server.startStandby();
    await withWorker(async (relay) => {
      const send = await startWatchedSend(server, { contacts });
      await untilArrived(relay, contacts / 3);
      await failOver();
      const { counters } = await send.finish();
      const { recipients, repeats } = copiesAt(relay);
      t.diagnostic(`${repeats} repeats, ${send.watch.mostUncertain} uncertain at most`);
      assert.equal(counters.sent, contacts);
      assert.equal(recipients, contacts);
      assert.equal(repeats, 0);
    });
  });
});
