import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Database } from '../../platform/database/database.ts';
import { copiesAt, mostRepeatsPerKill } from '../../testing/copies.ts';
import { startFaultyRelay, type FaultyRelay, type RelayStage } from '../../testing/faulty-relay.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';

// kill -9 at chosen points of the SMTP dialog (docs/sending.md).

suite('workers that are killed during a dialog (JOB-2, R7.1, R7.3)', () => {
  const database = useSendDatabase(async () => {
    await worker.kill();
    await relay.close();
  });
  let owner: Database;
  let app: Database;
  let relay: FaultyRelay;
  let worker: WorkerProcess;

  before(async () => {
    ({ owner, app } = database);
    relay = await startFaultyRelay();
  });

  test('a kill at any stage loses no message', { timeout: 300_000 }, async (t) => {
    const kills = 2;
    // The first kill comes when each of these messages is at its stage, the second one right after a reply.
    const held = new Map<string, RelayStage>([
      ['user150@sink.example', 'rcpt'],
      ['user151@sink.example', 'data'],
      ['user152@sink.example', 'message'],
    ]);
    const replied = new Set(['user230@sink.example']);
    relay.behave = async (stage, recipient) => {
      if (held.get(recipient) === stage) {
        held.delete(recipient);
        if (held.size === 0) await restart();
        return 'silence';
      }
      // Restarts when the reply has been sent.
      if (stage === 'message' && replied.delete(recipient)) setImmediate(() => void restart());
      return undefined;
    };
    // The second kill may come before the next worker has started.
    let restarted = Promise.resolve();
    const restartAfter = async (previous: Promise<void>) => {
      await previous;
      await worker.kill();
      worker = startWorkerProcess(database, relay.url);
    };
    const restart = () => {
      restarted = restartAfter(restarted);
      return restarted;
    };
    const send = await startWatchedSend({ owner, app }, { contacts: 300 });
    worker = startWorkerProcess(database, relay.url);
    // Messages affected by two kills wait for a person's decision.
    await send.waitUntilResting();
    const { mostCopies } = copiesAt(relay);
    assert.ok(mostCopies <= 2, `${mostCopies} copies`);
    const { counters } = await send.finish();
    const { recipients, repeats } = copiesAt(relay);
    t.diagnostic(`${kills} kills: ${repeats} repeats, ${send.watch.mostUncertain} uncertain at most`);
    assert.equal(held.size + replied.size, 0);
    assert.equal(counters.sent, 300);
    assert.equal(recipients, 300);
    assert.ok(repeats <= kills * mostRepeatsPerKill);
  });
});
