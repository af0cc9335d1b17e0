import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import { connect, type Database } from '../../platform/database/database.ts';
import { connectPipelined, type PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import { useTestApp } from '../../testing/app.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { startSendWorker } from '../../testing/send-worker.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

suite('opt-outs while a send runs', () => {
  const testApp = useTestApp();
  let app: Database;
  let pipelined: PipelinedDatabase;
  let sink: SmtpSink;
  let worker: ReturnType<typeof startSendWorker>;
  /** That of the email. */
  const topicId = newId();

  before(async () => {
    const pool = { statementTimeoutMs: 60_000, onError: () => undefined };
    app = connect(testApp.appUrl, { ...pool, name: 'worker', connections: 6 });
    pipelined = connectPipelined(testApp.appUrl, { ...pool, name: 'worker deliveries', connections: 2 });
    sink = await startSmtpSink();
  });
  // Before the app is closed, with the database.
  afterEach(async () => {
    await sink.close();
    await worker.stop();
    await app.destroy();
    await pipelined.destroy();
  });

  /** Every way to get no more emails of the brand or of the topic, by the link of a message. */
  const doors: readonly ((token: string, touchpointId: string) => Promise<{ statusCode: number }>)[] = [
    (token) => post(`/u/${token}`, 'List-Unsubscribe=One-Click'),
    (token) => post(`/u/${token}`, 'source=page'),
    (token) => post(`/p/${token}`, 'change=unsubscribe_brand'),
    (token) => post(`/p/${token}`, 'change=unsubscribe_organization'),
    (token) => post(`/p/${token}`, 'change=pause'),
    (token) => post(`/p/${token}`, `change=topics&shown=${topicId}`),
    (token, touchpointId) =>
      testApp.app.inject({
        method: 'PUT',
        url: `/api/touchpoints/emails/communication_preferences/${touchpointId}`,
        payload: { token, unsubscribed_from: 'brand' },
      }),
  ];
  const post = (url: string, payload: string) =>
    testApp.app.inject({ method: 'POST', url, payload, headers: form });

  test('nothing leaves that was not leased, or not marked in a leased chunk (R9.2)', async () => {
    const { owner } = testApp;
    const { organizationId, brandId, sendId, touchpointId } = await buildDueSend(owner, { contacts: 600 });
    const topic = { id: topicId, name: 'News', is_default: true, position: 1 };
    await insertRows(owner, 'topics', { ...topic, organization_id: organizationId, brand_id: brandId });
    await updateRows(owner, 'touchpoint_sends', { id: sendId }, { topic_id: topicId });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    sink.beforeAnswer = () => held;
    const database = { ...testApp, app, pipelined };
    worker = startSendWorker(database, { url: sink.url, connections: 8, backOffMs: 50, inFlightLimit: 16 });
    await waitUntil('a message is under way', () => sink.taken.length > 0);
    const readChunks = () =>
      listRows(owner, 'delivery_chunks', ['first_seq', 'last_seq', 'marked_up_to', 'worker_id'], {
        send_id: sendId,
      });
    const chunks = await readChunks();
    const leased = chunks.find(({ worker_id }) => worker_id !== null);
    const free = chunks.find(({ worker_id }) => worker_id === null);
    assert.ok(leased !== undefined && free !== undefined);
    const lastOf = ({ last_seq }: { last_seq: number }) =>
      Array.from({ length: 20 }, (_, index) => last_seq - index);
    const seqs = [...lastOf(leased), ...lastOf(free)];
    const { send_number: sendNumber } = await getRow(owner, 'touchpoint_sends', ['send_number'], {
      id: sendId,
    });
    for (const [index, seq] of seqs.entries()) {
      const token = testApp.services.signer.sign({ sendNumber, seq }).unsubscribe;
      const { statusCode } = await doors[index % doors.length]!(token, touchpointId);
      assert.equal(statusCode, 200);
    }
    const answeredAt = performance.now();
    // No message is answered yet: what is marked now may leave before the next commit, and nothing else.
    for (const { first_seq, marked_up_to, worker_id } of await readChunks()) {
      if (first_seq === leased.first_seq) assert.ok(marked_up_to < Math.min(...lastOf(leased)));
      if (first_seq === free.first_seq) assert.equal(worker_id, null);
    }
    release();
    const send = await waitUntil('the send ends', async () => {
      const row = await owner
        .selectFrom('counted_sends')
        .select(['end_date', 'recipients_suppressed_count', 'recipients_total_sent_count'])
        .where('id', '=', sendId)
        .executeTakeFirstOrThrow();
      return row.end_date === null ? undefined : row;
    });
    assert.ok(performance.now() - answeredAt < 30_000);
    const left = await listRows(owner, 'deliveries', ['seq', 'address'], { send_id: sendId });
    const optedOut = left.filter(({ seq }) => seqs.includes(seq)).map(({ address }) => address);
    assert.equal(optedOut.length, 40);
    assert.deepEqual(
      sink.taken.filter(({ recipient }) => optedOut.includes(recipient)),
      [],
    );
    assert.deepEqual([send.recipients_suppressed_count, send.recipients_total_sent_count], [40, 560]);
    assert.equal(sink.taken.length, 560);
  });
});
