import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { createLog } from './platform/log.ts';
import { connect } from './platform/database/database.ts';
import { restartDelay, superviseWorker } from './supervise-worker.ts';
import { createTestDatabase } from './testing/database.ts';
import { countAccounts } from './testing/send-accounts.ts';
import { buildDueSend } from './testing/send-fixture.ts';
import { startSmtpSink } from './testing/smtp-sink.ts';
import { waitUntil } from './testing/wait-until.ts';
import type { WorkerOptions } from './worker.ts';

const optionsFor = (logins: WorkerOptions['logins'], smtpUrl: string): WorkerOptions => ({
  logins,
  smtpUrl,
  smtpConnections: 4,
  bounceDomain: 'bounce.example',
  relay: undefined,
  publicUrl: 'http://localhost:3000',
  mailFrom: 'reachout@sender.example',
  secretKey: 'test-key-0123456789-abcdefghijklmnop',
  previousSecretKeys: [],
  dataDir: '/nowhere',
  s3Url: undefined,
  inFlightLimit: 16,
  logLevel: 'silent',
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a worker that is killed is started again and goes on; a stop ends its process', async (t) => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, { name: 'owner', connections: 2, onError: () => undefined });
  const sink = await startSmtpSink();
  const worker = superviseWorker(optionsFor(database, sink.url), createLog('silent'));
  t.after(async () => {
    await worker.stop();
    await owner.destroy();
    await sink.close();
    await database.drop();
  });
  const first = await buildDueSend(owner, { contacts: 20 });
  await waitUntil('a send ends', async () => (await countAccounts(owner, first.sendId)).hasEnded);
  const { pid } = worker;
  process.kill(pid!, 'SIGKILL');
  const second = await buildDueSend(owner, { contacts: 20 });
  await waitUntil('the next send ends', async () => (await countAccounts(owner, second.sendId)).hasEnded);
  const next = worker.pid!;
  assert.notEqual(next, pid);
  await worker.stop();
  assert.equal(isAlive(next), false);
  assert.equal(worker.pid, undefined);
});

test('a message that ends its process is tried twice, and fails; its neighbors get two copies at most', async (t) => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, { name: 'owner', connections: 2, onError: () => undefined });
  const sink = await startSmtpSink();
  // All processes that this one starts from now on.
  process.env['NODE_OPTIONS'] = `--import=${new URL('./testing/poison.ts', import.meta.url).href}`;
  const worker = superviseWorker(optionsFor(database, sink.url), createLog('silent'));
  t.after(async () => {
    delete process.env['NODE_OPTIONS'];
    await worker.stop();
    await owner.destroy();
    await sink.close();
    await database.drop();
  });
  const fixture = await buildDueSend(owner, { contacts: 60 });
  const accounts = await waitUntil('the send ends', async () => {
    const read = await countAccounts(owner, fixture.sendId);
    return read.hasEnded ? read : undefined;
  });
  assert.deepEqual([accounts.counters.sent, accounts.counters.failed], [59, 1]);
  const { reply } = await owner
    .selectFrom('delivery_results')
    .select('reply')
    .where('send_id', '=', fixture.sendId)
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow();
  assert.match(reply ?? '', /ended twice while it built this message/);
  const copies = new Map<string, number>();
  for (const { recipient } of sink.taken) copies.set(recipient, (copies.get(recipient) ?? 0) + 1);
  assert.equal(copies.size, 59);
  assert.ok(Math.max(...copies.values()) <= 2);
});

test('the worker ends with the process that started it, however that dies', async (t) => {
  const logins = Object.fromEntries(
    ['ownerUrl', 'appUrl', 'authUrl'].map((name) => [name, 'postgres://nobody@127.0.0.1:1/nothing']),
  ) as unknown as WorkerOptions['logins'];
  const program = `
    import { superviseWorker } from ${JSON.stringify(new URL('./supervise-worker.ts', import.meta.url).href)};
    const log = { error: () => undefined };
    console.log(superviseWorker(${JSON.stringify(optionsFor(logins, 'smtp://127.0.0.1:1'))}, log).pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  assert.ok(isAlive(pid));
  parent.kill('SIGKILL');
  await waitUntil('the worker is gone', () => !isAlive(pid));
});

test('a worker that keeps dying is started again more and more rarely, one that ran well at once', () => {
  const delays: number[] = [];
  for (let times = 0; times < 7; times += 1) delays.push(restartDelay(delays.at(-1), 500));
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(restartDelay(30_000, 20_000), 30_000);
  assert.equal(restartDelay(30_000, 3_600_000), 1_000);
});
