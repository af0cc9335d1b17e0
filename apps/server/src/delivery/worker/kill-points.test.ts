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
    const points = new Map<string, { stage: RelayStage; isReplied: boolean }>([
      ['user20@sink.example', { stage: 'rcpt', isReplied: false }],
      ['user90@sink.example', { stage: 'data', isReplied: false }],
      ['user160@sink.example', { stage: 'message', isReplied: false }],
      ['user230@sink.example', { stage: 'message', isReplied: true }],
    ]);
    const { size: kills } = points;
    relay.behave = async (stage, recipient) => {
      const point = points.get(recipient);
      if (point?.stage !== stage) return undefined;
      points.delete(recipient);
      if (!point.isReplied) {
        await restart();
        return 'silence';
      }
      // Restarts when the reply has been sent.
      setImmediate(() => void restart());
      return undefined;
    };
    // Two points may be reached at the same time.
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
    assert.equal(points.size, 0);
    assert.equal(counters.sent, 300);
    assert.equal(recipients, 300);
    assert.ok(repeats <= kills * mostRepeatsPerKill);
  });
});
