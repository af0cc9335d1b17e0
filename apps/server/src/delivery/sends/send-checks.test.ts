import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { prepareSend } from '../worker/prepare-send.ts';
import { checkSends } from './send-check-jobs.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

suite('checks of sends', () => {
  const database = useSendDatabase();

  async function check(): Promise<{ message: string; send: string }[]> {
    const lines: { message: string; send: string }[] = [];
    const error = ({ send }: { send: string }, message: string) => lines.push({ message, send });
    const faults = { stuck: 0, unbalanced: 0 };
    await checkSends({ db: database.app, log: { error: error as never }, faults });
    assert.equal(faults.stuck + faults.unbalanced, lines.length);
    return lines;
  }
  const buildPrepared = async (contacts: number) => {
    const { organizationId, sendId } = await buildDueSend(database.owner, { contacts });
    assert.ok(await prepareSend(database.app, mailboxPolicies, { organizationId, sendId }));
    return sendId;
  };

  test('stuck sends are logged and become due', async (t) => {
    const { owner } = database;
    const [withChunk, withQueued, withNothing, ended, paused] = [
      await buildPrepared(2),
      await buildPrepared(1),
      await buildPrepared(1),
      await buildPrepared(1),
      await buildPrepared(1),
    ];
    const turnChunkInto = async (sendId: string, table: 'delivery_queue' | 'delivery_results') => {
      await execute(owner)`update delivery_chunks set done = true where send_id = ${sendId}`;
      await (
        table === 'delivery_queue'
          ? sql`
            insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at)
            select organization_id, id, 1, 'deferred', 1, now() from touchpoint_sends where id = ${sendId}`
          : sql`
            with counted as (
              update touchpoint_sends set recipients_total_sent_count = 1, recipients_accepted_count = 1 where id = ${sendId}
              returning organization_id, id
            )
            insert into delivery_results (organization_id, send_id, seq, state, attempts, at, accepted_at)
            select organization_id, id, 1, 'sent', 1, now(), now() from counted`
      ).execute(owner);
    };
    await turnChunkInto(withQueued, 'delivery_queue');
    for (const sendId of [withNothing, ended]) await turnChunkInto(sendId, 'delivery_results');
    await execute(owner)`update touchpoint_sends set next_due_at = null`;
    await execute(owner)`
      update touchpoint_sends set status = 'completed', end_date = now() where id = ${ended}`;
    await execute(owner)`update touchpoint_sends set status = 'paused' where id = ${paused}`;

    const woken = [withChunk, withQueued, withNothing];
    assert.deepEqual((await check()).map(({ send }) => send).toSorted(), woken.toSorted());
    assert.deepEqual(await check(), []);
    const sink = await startSmtpSink();
    const worker = startSendWorker(database, { url: sink.url, connections: 2, inFlightLimit: 8 });
    t.after(async () => {
      await worker.stop();
      await sink.close();
    });
    await waitUntil('all of them are completed', async () => {
      const rows = await rowsOf(owner)`
        select from touchpoint_sends where id = any(${woken}::uuid[]) and status = 'completed'`;
      return rows.length === woken.length;
    });
    assert.deepEqual(await check(), []);
  });

  test('ended sends with wrong counters are logged', async () => {
    const sendId = await buildPrepared(2);
    await execute(database.owner)`update delivery_chunks set done = true where send_id = ${sendId}`;
    await execute(database.owner)`
      update touchpoint_sends
      set status = 'completed', end_date = now(), next_due_at = null, recipients_total_sent_count = 2
      where id = ${sendId}`;
    const [line, ...others] = await check();
    assert.deepEqual([line?.send, others.length], [sendId, 0]);
    assert.match(line?.message ?? '', /counters/);
  });
});
