import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startServer } from '../../main.ts';
import { readConfig } from '../../platform/config.ts';
import { connect } from '../../platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { parseMetrics, type ParsedMetrics } from '../../testing/parse-metrics.ts';
import { listRows } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { workerSecretKey } from '../../testing/worker-process.ts';

test('only the health port serves metrics', async (t) => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, { name: 'owner', connections: 2, onError: () => undefined });
  const sink = await startSmtpSink();
  sink.refuse = (recipient) =>
    recipient === 'user2@sink.example' ? { code: 550, text: '5.1.1 unknown' } : undefined;
  const [port, healthPort] = [await findFreePort(), await findFreePort()];
  const config = readConfig({
    ROLES: 'api,tracking,worker,inbound',
    SMTP_IN_PORT: '0',
    PORT: String(port),
    HEALTH_PORT: String(healthPort),
    DATABASE_URL: database.ownerUrl,
    DATABASE_APP_URL: database.appUrl,
    DATABASE_AUTH_URL: database.authUrl,
    SECRET_KEY: workerSecretKey,
    SMTP_URL: sink.url,
    SENDER_DOMAINS: 'nordwind.example',
    DATA_DIR: '/nowhere',
    LOG_LEVEL: 'silent',
  });
  const server = await startServer(config, database.ownerUrl, { isDemoAskedFor: false });
  t.after(async () => {
    await server.stop();
    await sink.close();
    await owner.destroy();
    await database.drop();
  });
  const { sendId, organizationId, touchpointId } = await buildDueSend(owner, { contacts: 4 });
  await waitUntil('the send ends', async () => (await countAccounts(owner, sendId)).hasEnded);

  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${healthPort}/metrics`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    return await response.text();
  };
  // Other tests of this process may have dropped events.
  const first = parseMetrics(await read());
  await waitUntil('its regular jobs are there', async () => {
    const kinds = await listRows(owner, 'jobs', ['kind'], { kind: 'send_check' });
    return kinds.length === 1;
  });
  // The worker detects the end after it is stored in the database.
  const text = await waitUntil('the worker has nothing to do', async () => {
    const each = await read();
    return isIdle(parseMetrics(each)) ? each : undefined;
  });
  const metrics = parseMetrics(text);
  assertSent(metrics, first);
  for (const id of [sendId, organizationId, touchpointId, 'sink.example']) assert.ok(!text.includes(id));
  assert.deepEqual(await listDocumented(), [...metrics.types.keys()].filter(isOwn).toSorted());
  for (const [name, type] of metrics.types)
    if (isOwn(name)) assert.equal(name.endsWith('_total'), type === 'counter', name);

  for (const path of ['/metrics', '/api/metrics', '/api/health/metrics']) {
    const publicText = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    assert.doesNotMatch(publicText, /# TYPE|reachout_worker|nodejs_/);
  }
  // Two concurrent requests, and one for the health of the worker: each gets its own response.
  const [one, other, ready] = await Promise.all([
    read(),
    read(),
    fetch(`http://127.0.0.1:${healthPort}/ready`),
  ]);
  assert.equal(ready.status, 200);
  const { events } = (await ready.json()) as { events: { is_behind: boolean } };
  assert.equal(events.is_behind, false);
  for (const again of [one, other]) assertSent(parseMetrics(again), first);
});

function assertSent({ get }: ParsedMetrics, first: ParsedMetrics): void {
  const attempts = (labels: Record<string, string>) =>
    get('reachout_message_attempts_total', {
      process: 'worker',
      transport: 'smtp',
      lane: 'other',
      ...labels,
    });
  assert.equal(attempts({ outcome: 'accepted' }), 3);
  assert.equal(attempts({ outcome: 'rejected', class: 'address_hard' }), 1);
  assert.equal(attempts({ outcome: 'rejected', class: 'transient' }), 0);
  assert.equal(attempts({ outcome: 'uncertain' }), 0);
  const ofWorker = (name: string, labels = {}) => get(`reachout_${name}`, { process: 'worker', ...labels });
  assert.equal(ofWorker('messages_in_flight'), 0);
  assert.equal(ofWorker('messages_in_flight_limit'), 64);
  assert.equal(ofWorker('results_unstored'), 0);
  assert.equal(ofWorker('transport_slots', { transport: 'smtp' }), 16);
  assert.equal(ofWorker('transport_slots_in_use', { transport: 'smtp' }), 0);
  const commits = ofWorker('result_commit_seconds_count');
  assert.ok(commits >= 1 && ofWorker('result_commit_seconds_sum') > 0);
  assert.equal(ofWorker('result_commit_seconds_bucket', { le: '+Inf' }), commits);
  assert.equal(ofWorker('lane_waiting', { transport: 'smtp', lane: 'google' }), 0);
  assert.ok(ofWorker('lane_slots', { transport: 'smtp', lane: 'other' }) >= 1);
  assert.ok(ofWorker('looks_total') >= 1);
  assert.equal(ofWorker('sends_due', { list: 'chunk' }), 0);
  assert.equal(ofWorker('send_faults_total', { fault: 'stuck' }), 0);
  assert.equal(ofWorker('send_faults_total', { fault: 'unbalanced' }), 0);
  assert.equal(ofWorker('partitions_refused_total'), 0);
  assert.equal(ofWorker('jobs', { kind: 'send_check', state: 'open' }), 1);
  assert.equal(ofWorker('database_connections_limit', { pool: 'worker deliveries' }), 4);
  const ofServer = (name: string, labels = {}) => get(name, { process: 'server', ...labels });
  assert.equal(ofServer('reachout_worker_working'), 1);
  assert.equal(ofServer('reachout_worker_restarts_total'), 0);
  assert.equal(ofServer('reachout_unfolded_events', { subject: 'message' }), 0);
  assert.equal(ofServer('reachout_inbound_messages_total', { mailbox: 'return_path' }), 0);
  assert.equal(ofServer('reachout_returned_mail_waiting'), 0);
  for (const [name, labels] of [
    ['reachout_events_dropped_total', { subject: 'visitor' }],
    ['reachout_website_events_dropped_total', { reason: 'quota' }],
  ] as const)
    assert.equal(ofServer(name, labels), first.get(name, { process: 'server', ...labels }));
  assert.equal(ofServer('reachout_database_connections_waiting', { pool: 'sign-in' }), 0);
  for (const process of ['server', 'worker']) {
    assert.ok(get('process_resident_memory_bytes', { process }) > 0);
    assert.ok(get('process_start_time_seconds', { process }) > 0);
  }
}

const isIdle = ({ get }: ParsedMetrics): boolean =>
  get('reachout_worker_working', { process: 'server' }) === 1 &&
  get('reachout_messages_in_flight', { process: 'worker' }) === 0 &&
  ['new', 'chunk', 'queued', 'rest'].every(
    (list) => get('reachout_sends_due', { process: 'worker', list }) === 0,
  );

const isOwn = (name: string): boolean => name.startsWith('reachout_');

/** @returns the names in the table of docs/metrics.md */
async function listDocumented(): Promise<string[]> {
  const page = await readFile(new URL('../../../../../docs/metrics.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `(reachout_\w+)`/gm)].map(([, name]) => name!).toSorted();
}
