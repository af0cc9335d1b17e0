import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SendKind, SendStatus } from '@reachout/contract/states/send.ts';
import { execute, onlyValueOf } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { buildSend } from '../../sample/records.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { openSendDatabase, startSendWorker } from '../../testing/send-worker.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { findDueSends } from '../../queue/due-sends.queries.ts';
import { prepareSend } from './prepare-send.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('due sends', () => {
  const app = useTestApp();
  const options = (toPrepare: number, perList: number, preparedFor?: string) => ({
    toPrepare,
    preparedFor,
    perList,
    ofDeadWorkers: true,
  });

  test('organizations take turns in the list (JOB-3)', async () => {
    const first = await buildSend(app.owner, { status: 'sending', send_date: '2026-01-01T00:00:00Z' });
    for (let count = 0; count < 5; count += 1) {
      await buildSend(app.owner, {
        organization_id: first.organization_id,
        status: 'sending',
        send_date: '2026-01-02T00:00:00Z',
      });
    }
    const late = await buildSend(app.owner, { status: 'sending', send_date: '2026-01-03T00:00:00Z' });
    const open = await findDueSends(app.services.db, options(3, 3), []);
    assertColumn(open.slice(0, 2), 'send_id', [first.id, late.id]);
    assert.equal(open.length, 3);
  });

  test('organizations take turns with what is prepared (JOB-3)', async () => {
    await execute(app.owner)`update touchpoint_sends set next_due_at = null`;
    const send_date = '2026-01-01T00:00:00Z';
    const first = await Promise.all(
      [1, 2, 3].map(() => buildSend(app.owner, { status: 'queued', send_date })),
    );
    const order = first.map(({ organization_id: id }) => id).sort();
    for (const organization_id of order)
      await buildSend(app.owner, { organization_id, status: 'queued', send_date });
    const next = async (after: string | undefined) => {
      const found = await findDueSends(app.services.db, options(3, 0, after), []);
      return found.map(({ organization_id: id }) => order.indexOf(id));
    };
    assert.deepEqual(await next(undefined), [0, 1, 2]);
    assert.deepEqual(await next(order[0]), [1, 2, 0]);
    assert.deepEqual(await next(order[1]), [2, 0, 1]);
    assert.deepEqual(await next(order[2]), [0, 1, 2]);
  });

  test('each kind of work has its own list', async () => {
    const { owner } = app;
    await execute(owner)`update touchpoint_sends set next_due_at = null`;
    const build = (status: SendStatus, kind: SendKind = 'campaign', sent = 0) =>
      buildSend(owner, {
        status,
        kind,
        send_date: '2026-01-01T00:00:00Z',
        recipients_total_count: 2,
        recipients_total_sent_count: sent,
      });
    const idle = await build('sending', 'campaign', 1);
    const cancelled = await build('cancelled');
    for (let count = 0; count < 3; count += 1) {
      await build('queued');
      await build('sending', 'triggered');
      for (const sent of [0, 1]) {
        const { organization_id, id } = await build('sending', 'campaign', sent);
        await execute(owner)`
          insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to)
          values (${organization_id}, ${id}, 1, 2, 0)`;
      }
      const { organization_id, id } = await build('sending');
      await execute(owner)`
        insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at)
        values (${organization_id}, ${id}, 1, 'deferred', 1, now())`;
    }
    const found = await findDueSends(app.services.db, options(1, 2), []);
    assert.deepEqual(
      found.map(({ work }) => work),
      ['prepare', 'single', 'single', 'new', 'new', 'queued', 'queued', 'chunk', 'chunk', 'end', 'rest'],
    );
    assertColumn(found.slice(-2), 'send_id', [cancelled.id, idle.id]);
    assert.equal(new Set(found.map(({ send_id }) => send_id)).size, found.length);
  });
});

test('small sends continue beside a large one', async () => {
  const large = 4_000;
  const database = await openSendDatabase();
  const { owner, app } = database;
  const sink = await startSmtpSink();
  sink.beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 50));
  const retried: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const { organizationId, sendId } = await buildDueSend(owner, { contacts: 1 });
    assert.ok(await prepareSend(app, mailboxPolicies, { organizationId, sendId }));
    await execute(owner)`update delivery_chunks set done = true where send_id = ${sendId}`;
    await execute(owner)`
      insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at)
      values (${organizationId}, ${sendId}, 1, 'deferred', 1, now())`;
    retried.push(sendId);
  }
  const small = await buildDueSend(owner, { contacts: 3 });
  const others = [...retried, small.sendId];
  await execute(owner)`update touchpoint_sends set next_due_at = null where id = any(${others}::uuid[])`;
  const bulk = await buildDueSend(owner, { contacts: large });
  const worker = startSendWorker(database, { url: sink.url, connections: 16, inFlightLimit: 64 });
  try {
    const countResults = (ids: string[]) => onlyValueOf<number>(owner)`
        select count(*) as count from delivery_results where send_id = any(${ids}::uuid[])`;
    await waitUntil('the large send is under way', async () => (await countResults([bulk.sendId])) > 100);
    await owner.transaction().execute(async (trx) => {
      await execute(trx)`
        update touchpoint_sends set next_due_at = now() - interval '1 s' where id = any(${others}::uuid[])`;
      await notifyWorkers(trx);
    });
    await waitUntil(
      'retries and the small send are done',
      async () => (await countResults(others)) === retried.length + 3,
    );
    assert.ok((await countResults([bulk.sendId])) < large);
  } finally {
    await worker.stop();
    await sink.close();
    await database.close();
  }
});
