import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connect } from '../../platform/database/database.ts';
import { connectPipelined } from '../../platform/database/pipelined.ts';
import { copiesAt } from '../../testing/copies.ts';
import { startFaultyRelay } from '../../testing/faulty-relay.ts';
import {
  breakNth,
  breakResponseTo,
  startPacketProxy,
  type PacketFate,
  type PacketProxy,
} from '../../testing/packet-proxy.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { throughProxy } from '../../testing/tcp-proxy.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';

// The connection breaks at the n-th packet of a worker to the database or to the mail server, before it is sent or before
// its response arrives. REACHOUT_FULL=1 tests each of the first 200.
const isFull = process.env['REACHOUT_FULL'] === '1';
interface Failure {
  n: number;
  fate: Exclude<PacketFate, 'pass'>;
}
const all = Array.from({ length: 200 }, (_, index) => index + 1).flatMap((n): Failure[] => [
  { n, fate: 'break_before' },
  { n, fate: 'break_after' },
]);
const some: Failure[] = [
  { n: 2, fate: 'break_after' },
  { n: 7, fate: 'break_before' },
  { n: 15, fate: 'break_after' },
];
const places = ['database', 'mail server'] as const;
const contacts = 40;
const inFlightLimit = 8;
const timeout = isFull ? 1_800_000 : 300_000;

suite('failures of the n-th operation (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase();

  /** Runs `work` with a worker whose connections to the database and the mail server use proxies. */
  async function withWorker(
    work: (
      proxies: Record<(typeof places)[number], PacketProxy>,
      relay: Awaited<ReturnType<typeof startFaultyRelay>>,
    ) => Promise<void>,
  ): Promise<void> {
    const relay = await startFaultyRelay();
    const proxies = {
      database: await startPacketProxy(addressOf(database.appUrl)),
      'mail server': await startPacketProxy(addressOf(relay.url)),
    };
    const appUrl = throughProxy(database.appUrl, proxies.database);
    const pool = { connections: 4, statementTimeoutMs: 60_000, onError: () => undefined };
    const app = connect(appUrl, { ...pool, name: 'worker' });
    const pipelined = connectPipelined(appUrl, { ...pool, name: 'worker deliveries' });
    const worker = startSendWorker(
      { ...database, appUrl, app, pipelined },
      { url: throughProxy(relay.url, proxies['mail server']), connections: 4, backOffMs: 20, inFlightLimit },
    );
    try {
      await work(proxies, relay);
    } finally {
      await worker.stop();
      await app.destroy();
      await pipelined.destroy();
      for (const proxy of Object.values(proxies)) await proxy.close();
      await relay.close();
    }
  }

  for (const place of places) {
    test(`one failure of the ${place} loses no message`, { timeout }, async () => {
      await withWorker(async (proxies, relay) => {
        for (const { n, fate } of isFull ? all : some) {
          relay.copies.clear();
          proxies[place].decide = breakNth(n, fate);
          const send = await startWatchedSend(database, { contacts });
          const { counters } = await send.finish();
          const { recipients, repeats } = copiesAt(relay);
          const what = `${fate} ${n}`;
          assert.equal(counters.sent, contacts, what);
          assert.equal(recipients, contacts, what);
          // One SMTP connection has one message in flight; database failures make no sent message uncertain.
          assert.ok(repeats <= (place === 'database' ? 0 : 1), `${what}: ${repeats} repeats`);
        }
      });
    });
  }

  // The lease would hold them for two minutes, longer than the limit of `waitUntil`.
  const inOneLease = 4;
  for (const lease of ['lease_chunk', 'lease_queued']) {
    test(`messages of a lost ${lease} response are sent soon`, { timeout }, async () => {
      await withWorker(async (proxies, relay) => {
        proxies.database.decide = breakResponseTo(lease);
        // A server that loses its client before COMMIT may roll back.
        proxies.database.isBreak = (part) => part.includes('COMMIT');
        relay.behave = (stage, recipient) =>
          stage === 'rcpt' && relay.tries.get(recipient) === 1 ? '451 4.3.0 later' : undefined;
        const send = await startWatchedSend(database, { contacts: inOneLease });
        const { counters } = await send.finish();
        assert.equal(counters.sent, inOneLease);
        assert.equal(copiesAt(relay).repeats, 0);
        assert.equal(proxies.database.decide(Buffer.from(lease)), 'pass', 'the response was never lost');
      });
    });
  }
});

const addressOf = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });
