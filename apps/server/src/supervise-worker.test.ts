import { sendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import childProcess, { spawn } from 'node:child_process';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, mock, suite, test } from 'node:test';
import { createLog } from './platform/log.ts';
import type { Database } from './platform/database/database.ts';
import { isWorking } from './platform/worker-health.ts';
import { restartDelay, superviseWorker } from './supervise-worker.ts';
import { useSendDatabase } from './testing/send-worker.ts';
import { countAccounts } from './testing/send-accounts.ts';
import { buildDueSend } from './testing/send-fixture.ts';
import { startSmtpSink, type SmtpSink } from './testing/smtp-sink.ts';
import { isAlive } from './testing/is-alive.ts';
import { getRow } from './testing/rows.ts';
import { waitUntil } from './testing/wait-until.ts';
import { workerOptionsFor } from './testing/worker-process.ts';

const delays = { firstMs: 20, longestMs: 1_000 };

suite('worker process', () => {
  const database = useSendDatabase();
  let owner: Database;
  let sink: SmtpSink;

  before(async () => {
    ({ owner } = database);
    sink = await startSmtpSink();
  });
  after(() => sink.close());

  const start = (log = createLog('silent')) =>
    superviseWorker(workerOptionsFor(database, sink.url), log, delays);

  const untilEnd = (sendId: string) =>
    waitUntil('the send ends', async () => {
      const accounts = await countAccounts(owner, sendId);
      return accounts.hasEnded ? accounts : undefined;
    });

  const waitUntilWorking = (worker: ReturnType<typeof start>) =>
    waitUntil('it works', async () => {
      const report = await worker.report();
      return isWorking(report) ? report : undefined;
    });

  suite('with a worker that first cannot start', () => {
    const lines: string[] = [];
    let worker: ReturnType<typeof start>;

    before(() => {
      const real = childProcess.fork;
      let calls = 0;
      mock.method(childProcess, 'fork', (...args: Parameters<typeof real>) => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
        // How Node.js reports EAGAIN and EMFILE: a child without a process that emits an error later.
        if (calls === 2) return spawn('/nowhere/node');
        return real(...args);
      });
      syncBuiltinESMExports();
      worker = start(createLog('error', { write: (line) => lines.push(line) }));
    });
    after(async () => {
      mock.restoreAll();
      syncBuiltinESMExports();
      await worker.stop();
    });

    test('a worker that cannot start is tried again', async () => {
      assert.equal((await waitUntilWorking(worker)).restarts, 2);
    });

    test('a hanging worker is reported as not working', async () => {
      await waitUntil('it has metrics', async () => (await worker.collectMetrics()).length > 0);
      process.kill(worker.pid!, 'SIGSTOP');
      const [report, metrics] = await Promise.all([worker.report(), worker.collectMetrics()]);
      assert.equal(isWorking(report), false);
      assert.deepEqual(metrics, []);
      process.kill(worker.pid!, 'SIGCONT');
      await waitUntilWorking(worker);
    });

    test('a killed worker is started again', async () => {
      const { pid } = worker;
      process.kill(pid!, 'SIGKILL');
      const { sendId } = await buildDueSend(owner, { contacts: 20 });
      await untilEnd(sendId);
      const next = worker.pid!;
      assert.notEqual(next, pid);
      const { restarts, last_death } = await waitUntilWorking(worker);
      assert.deepEqual([restarts, last_death?.signal], [3, 'SIGKILL']);
      assert.match(lines.join(''), /"signal":"SIGKILL".*worker ended and is started again/);
      await worker.stop();
      assert.equal(isAlive(next), false);
      assert.equal(worker.pid, undefined);
      assert.equal((await worker.report()).has_heartbeat, false);
    });
  });

  test('a worker that achieved something restarts without delay', async (t) => {
    const lines: string[] = [];
    const worker = start(createLog('error', { write: (line) => lines.push(line) }));
    t.after(() => worker.stop());
    const { restarts, last_death } = await waitUntilWorking(worker);
    assert.deepEqual([restarts, last_death], [0, null]);
    for (let deaths = 1; deaths <= 2; deaths += 1) {
      const { sendId } = await buildDueSend(owner, { contacts: 20 });
      await untilEnd(sendId);
      await waitUntil('it says so', () => worker.hasAchieved);
      process.kill(worker.pid!, 'SIGKILL');
      await waitUntil('its death is noticed', () => lines.length === deaths);
    }
    const waits = lines.map((line) => (JSON.parse(line) as { restartMs: number }).restartMs);
    assert.deepEqual(waits, [delays.firstMs, delays.firstMs]);
  });

  test('a message that ends its worker twice fails', async (t) => {
    // Applies to all processes that this one starts from now on.
    process.env['NODE_OPTIONS'] = `--import=${new URL('./testing/poison.ts', import.meta.url).href}`;
    t.after(() => delete process.env['NODE_OPTIONS']);
    const worker = start();
    t.after(() => worker.stop());
    const from = sink.taken.length;
    const { sendId } = await buildDueSend(owner, { contacts: 60 });
    const accounts = await untilEnd(sendId);
    assert.deepEqual([accounts.counters.sent, accounts.counters.failed], [59, 1]);
    const { error } = await getRow(owner, 'delivery_results', '*', { send_id: sendId, state: 'failed' });
    assert.deepEqual(error, sendError('worker_ended_building'));
    const copies = new Map<string, number>();
    for (const { recipient } of sink.taken.slice(from))
      copies.set(recipient, (copies.get(recipient) ?? 0) + 1);
    assert.equal(copies.size, 59);
    assert.ok(Math.max(...copies.values()) <= 2);
  });
});

test('a worker ends with its parent process', async (t) => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  const options = workerOptionsFor({ appUrl: nowhere, authUrl: nowhere }, 'smtp://127.0.0.1:1');
  const program = `
    import { superviseWorker } from ${JSON.stringify(new URL('./supervise-worker.ts', import.meta.url).href)};
    const log = { error: () => undefined };
    console.log(superviseWorker(${JSON.stringify(options)}, log).pid);`;
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

test('repeated deaths delay the next start', () => {
  const waits: number[] = [];
  for (let times = 0; times < 7; times += 1)
    waits.push(restartDelay(waits.at(-1), { ranMs: 500, hasAchieved: false }));
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(restartDelay(30_000, { ranMs: 20_000, hasAchieved: false }), 30_000);
  assert.equal(restartDelay(30_000, { ranMs: 3_600_000, hasAchieved: false }), 1_000);
  assert.equal(restartDelay(30_000, { ranMs: 500, hasAchieved: true }), 1_000);
});
