import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { copiesAt } from '../../testing/copies.ts';
import { startFaultyRelay } from '../../testing/faulty-relay.ts';
import { createRandom } from '../../platform/random.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { useOpened } from '../../testing/use-made.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';

// A mail server with every kind of failure at once. REACHOUT_FULL=1 uses more recipients.
const isFull = process.env['REACHOUT_FULL'] === '1';
const contacts = isFull ? 20_000 : 400;
const timeout = isFull ? 600_000 : 300_000;
const garbage = '### what was that';

suite('random replies (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase();

  const relay = useOpened(() => startFaultyRelay());

  test('each message gets a result, and only unclear ones repeat', { timeout }, async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`Seed ${seed}`);
    const { chance } = createRandom(seed);
    const accepted = new Map<string, number>();
    const unclear = new Set<string>();
    relay.behave = async (stage, recipient) => {
      if (stage === 'greeting') return chance(0.1) ? '421 4.3.2 too busy' : undefined;
      if (stage === 'rcpt' && chance(0.3)) return '451 4.7.1 try again later';
      if (stage === 'rcpt' && chance(0.05)) return '550 5.1.1 no such user';
      if (stage === 'data' && chance(0.02)) return 'reset';
      if (chance(0.01)) {
        if (stage === 'message') unclear.add(recipient);
        return garbage;
      }
      if (stage !== 'message') return undefined;
      if (chance(0.02)) {
        await delay(20);
        return '552 5.2.2 over quota';
      }
      accepted.set(recipient, (accepted.get(recipient) ?? 0) + 1);
      return undefined;
    };
    const worker = startSendWorker(database, {
      url: relay.url,
      connections: 8,
      backOffMs: 20,
      inFlightLimit: 32,
    });
    const send = await startWatchedSend(database, { contacts });
    const { counters, total } = await send.finish();
    await worker.stop();

    const { mostCopies } = copiesAt(relay);
    t.diagnostic(
      `${counters.sent} sent, ${counters.bounced} bounced, ${counters.failed} failed, ${unclear.size} unclear, ` +
        `${mostCopies} copies at most; ${send.watch.readings} readings balanced`,
    );
    assert.equal(total, contacts);
    assert.equal(counters.sent + counters.bounced + counters.failed, contacts);
    assert.equal(counters.sent, accepted.size);
    for (const [recipient, count] of accepted)
      assert.ok(count === 1 || unclear.has(recipient), `${recipient}: ${count}`);
    assert.equal(relay.tries.size, contacts);
  });
});
