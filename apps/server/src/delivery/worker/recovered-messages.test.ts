import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startFaultyRelay } from '../../testing/faulty-relay.ts';
import { buildPreparedSend, leaseNextChunk } from '../../testing/prepared-send.ts';
import { listRows } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('messages in flight at a dead worker', () => {
  const database = useSendDatabase();

  for (const { what, contacts, markCount } of [
    { what: 'the rest of its chunk', contacts: 120, markCount: 64 },
    { what: 'the next chunk', contacts: 300, markCount: 250 },
  ]) {
    test(`${what} does not wait for recovered messages`, async () => {
      const relay = await startFaultyRelay();
      const ref = await buildPreparedSend(database, { contacts });
      // No worker with this id is alive.
      await leaseNextChunk(database, ref, { workerId: 1, markCount });
      const worker = startSendWorker(database, { url: relay.url, connections: 16, inFlightLimit: 64 });
      try {
        await waitUntil(
          'the send ends',
          async () => (await countAccounts(database.owner, ref.sendId)).hasEnded,
        );
      } finally {
        await worker.stop();
        await relay.close();
      }
      const deliveries = await listRows(database.owner, 'deliveries', ['address', 'seq'], {
        send_id: ref.sendId,
      });
      const seqOf = new Map(deliveries.map(({ address, seq }) => [address, seq]));
      const seqs = [...relay.copies.keys()].map((address) => seqOf.get(address)!);
      assert.equal(seqs.length, contacts);
      assert.ok(
        seqs.slice(0, 20).every((seq) => seq > markCount),
        seqs.join(' '),
      );
    });
  }
});
