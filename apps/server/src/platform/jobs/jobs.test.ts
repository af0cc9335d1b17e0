import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { buildOrganization } from '../../sample/records.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows, updateRows } from '../../testing/rows.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { inOrganization, transactionAs, type Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import { createLog } from '../log.ts';
import { enqueueJob, keepJob, recordProgress } from './enqueue-job.ts';
import { runInProcess } from './job-process.ts';
import { handleJobs, JobFailed, JobInterrupted, RetryLater, type JobKind, type JobWork } from './job-kind.ts';

const minute = 60_000;

interface Payload {
  id: string;
}
const kind: JobKind<Payload> = {
  name: 'test',
  payload: z.strictObject({ id: z.string() }),
  maxOpen: 5,
  atLimit: 'unavailable',
};

suite('jobs', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let authDb: Database;
  let one: string;
  let other: string;
  const ends: (() => Promise<unknown>)[] = [];

  before(async () => {
    ({ owner, app: db, auth: authDb } = database);
    one = (await buildOrganization(owner)).id;
    other = (await buildOrganization(owner)).id;
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await deleteRows(owner, 'jobs');
  });

  const handle = (work: Partial<JobWork<Payload>> & Pick<JobWork<Payload>, 'run'>) =>
    handleJobs(kind, {
      maxAttempts: 3,
      delaysMs: [minute, 2 * minute],
      concurrency: 4,
      perOrganization: 4,
      ...work,
    });
  const start = (...works: Parameters<typeof handle>) => {
    const worker = startJobWorker(database, works.map(handle));
    ends.push(worker.stop);
    return worker;
  };
  const enqueue = (key: string, organizationId: string = one, changes: { delayMs?: number } = {}) =>
    inOrganization(db, organizationId, (trx) =>
      enqueueJob(trx, kind, { organizationId, key, payload: { id: key }, ...changes }),
    );
  const find = (key: string) =>
    owner.selectFrom('jobs').selectAll().where('key', '=', key).orderBy('id').executeTakeFirstOrThrow();
  const ended = (key: string) =>
    waitUntil(`${key} has ended`, async () => {
      const job = await find(key);
      return job.ended_at === null ? undefined : job;
    });
  const makeDue = () => updateRows(owner, 'jobs', {}, { due_at: sql<string>`now()` });

  test('a job runs only after its transaction commits', async () => {
    const ran: string[] = [];
    start({ run: ({ key, payload }) => Promise.resolve(void ran.push(`${key} ${payload.id}`)) });
    await assert.rejects(
      inOrganization(db, one, async (trx) => {
        await enqueueJob(trx, kind, { organizationId: one, key: 'lost', payload: { id: 'lost' } });
        throw new Error('The business failed.');
      }),
      /business failed/,
    );
    await enqueue('a');
    const job = await ended('a');
    assert.deepEqual([job.state, job.attempts, job.error_content], ['finished', 1, null]);
    assert.deepEqual(ran, ['a a']);
  });

  test('installation jobs are hidden from users and sign-in', async () => {
    const job = { organizationId: null, payload: { id: 'x' } };
    await assert.rejects(
      transactionAs(db, {}, (trx) => enqueueJob(trx, kind, { ...job, key: 'nobody' })),
      { code: '42501' },
    );
    await transactionAs(db, { userId: newId() }, async (trx) => {
      await enqueueJob(trx, kind, { ...job, key: 'person' });
      assert.deepEqual(await listRows(trx, 'jobs', ['id'], {}), []);
    });
    await transactionAs(authDb, {}, (trx) => enqueueJob(trx, kind, { ...job, key: 'sign-in' }));
    start({ run: () => Promise.resolve() });
    for (const key of ['person', 'sign-in']) assert.equal((await ended(key)).state, 'finished');
  });

  test('an open key has one job, within the limit', async () => {
    for (const key of ['a', 'a', 'b', 'c', 'd', 'e', 'a'].slice(0, 6)) await enqueue(key);
    await assert.rejects(enqueue('f'), (error) => {
      assert.ok(error instanceof LimitExceeded);
      assert.deepEqual([error.bound, error.code], ['open jobs, test', 'unavailable']);
      return true;
    });
    await enqueue('f', other);
    start({ run: () => Promise.resolve() });
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await ended(key);
    await enqueue('a');
    const { rows } = await sql`select from jobs where key = 'a'`.execute(owner);
    assert.equal(rows.length, 2);
  });

  test('failed jobs are retried with growing delays, then stay failed', async () => {
    const given: string[] = [];
    let runs = 0;
    const lines: string[] = [];
    const handler = handle({
      run: () => {
        runs += 1;
        return Promise.reject(
          runs === 1 ? new TypeError('no user ada@lovelace.example') : new RetryLater(`away ${runs}`),
        );
      },
      giveUp: ({ key }, reason) => Promise.resolve(void given.push(`${key}: ${reason}`)),
    });
    const log = createLog('error', { write: (line) => lines.push(line) });
    const worker = startJobWorker(database, [handler], log);
    ends.push(worker.stop);
    await enqueue('a');
    const delays: number[] = [];
    for (const [attempt, reason] of [
      [1, 'TypeError'],
      [2, 'away 2'],
    ] as const) {
      const job = await waitUntil('it is postponed', async () => {
        const current = await find('a');
        return current.attempts === attempt && current.worker_id === null ? current : undefined;
      });
      assert.equal(job.error_content, reason);
      const { rows } = await sql<{ minutes: number }>`
        select round(extract(epoch from due_at - now()) / 60)::integer as minutes from jobs where key = 'a'
      `.execute(owner);
      delays.push(rows[0]!.minutes);
      await makeDue();
      worker.wake();
    }
    assert.deepEqual(delays, [1, 2]);
    const job = await ended('a');
    assert.deepEqual([job.state, job.attempts, job.error_content], ['failed', 3, 'away 3']);
    assert.deepEqual(given, ['a: away 3']);
    assert.match(lines.join(''), /job is given up/);
  });

  test('unlimited jobs are retried rarely, then end', async () => {
    const reasons: string[] = [];
    let isAway = true;
    const worker = start({
      run: () => Promise.reject(new RetryLater('away')),
      giveUp: (_job, reason) => {
        reasons.push(reason);
        return isAway ? Promise.reject(new Error('no connection')) : Promise.resolve();
      },
      maxAttempts: 1,
    });
    const again = (attempts: number) =>
      waitUntil(`it could not be given up ${attempts} times`, async () => {
        const job = await find('a');
        return job.attempts === attempts && job.worker_id === null ? job : undefined;
      });
    await enqueue('a');
    assert.deepEqual([(await again(1)).state, (await again(1)).error_content], ['open', 'away']);
    // Attempts lost with dead workers still count.
    await sql`update jobs set lost_leases = 3, due_at = now() where key = 'a'`.execute(owner);
    worker.wake();
    assert.equal((await again(2)).lost_leases, 3);
    isAway = false;
    await makeDue();
    worker.wake();
    assert.equal((await ended('a')).state, 'failed');
    const died = 'Its worker ended 3 times while it ran.';
    assert.deepEqual(reasons, ['away', died, died]);

    isAway = true;
    await enqueue('b');
    await waitUntil('it ran', async () => (await find('b')).error_content !== null);
    await sql`update jobs set attempts = 10, due_at = now() where key = 'b'`.execute(owner);
    worker.wake();
    assert.deepEqual((await ended('b')).state, 'failed');
  });

  test('permanent failures and wrong payloads fail at once', async () => {
    let runs = 0;
    start({
      run: ({ key }) => {
        runs += 1;
        return Promise.reject(key === 'hopeless' ? new JobFailed('There is no hope.') : new Error('x'));
      },
    });
    await enqueue('hopeless');
    assert.deepEqual((await ended('hopeless')).error_content, 'There is no hope.');
    await insertRows(owner, 'jobs', {
      organization_id: one,
      id: newId(),
      kind: 'test',
      key: 'odd',
      payload: '{"path":"x"}',
    });
    assert.match((await ended('odd')).error_content ?? '', /payload/);
    assert.equal(runs, 1);
  });

  test('only jobs of dead workers are taken over', async () => {
    const held = Promise.withResolvers<void>();
    ends.push(() => Promise.resolve(held.resolve()));
    const first = start({ run: () => held.promise, concurrency: 2 });
    await enqueue('a');
    await enqueue('b');
    await waitUntil('both run', async () => (await find('b')).worker_id !== null);
    const second = start({ run: () => Promise.resolve(), concurrency: 1 });
    await enqueue('c');
    await ended('c');
    assert.deepEqual([(await find('a')).attempts, (await find('b')).attempts], [1, 1]);
    await first.vanish();
    second.wake();
    for (const key of ['a', 'b']) {
      const job = await ended(key);
      assert.deepEqual([job.state, job.attempts, job.lost_leases], ['finished', 2, 1]);
    }
  });

  test('jobs that end their worker run apart, then fail', async () => {
    let runs = 0;
    const given: string[] = [];
    await enqueue('poison');
    const lose = () =>
      sql`update jobs set worker_id = 1, lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute',
        attempts = attempts + 1 where key = 'poison'`.execute(owner);
    const run = () => Promise.reject(new Error(`never ${(runs += 1)}`));
    const worker = start({
      run,
      giveUp: (_job, reason) => Promise.resolve(void given.push(reason)),
      maxAttempts: 100,
    });
    await waitUntil('it ran', async () => (await find('poison')).error_content !== null);
    await sql`update jobs set lost_leases = 1 where key = 'poison'`.execute(owner);
    await lose();
    worker.wake();
    const second = await waitUntil('it is free', async () => {
      const job = await find('poison');
      return job.lost_leases === 2 ? job : undefined;
    });
    const { rows } = await sql<{ waits: boolean }>`
      select due_at > created_at + interval '4 seconds' as waits from jobs where key = 'poison'
    `.execute(owner);
    assert.deepEqual([second.worker_id, rows[0]?.waits], [null, true]);
    await lose();
    worker.wake();
    await waitUntil('it is free', async () => (await find('poison')).lost_leases === 3);
    await makeDue();
    worker.wake();
    const job = await ended('poison');
    assert.equal(job.state, 'failed');
    assert.deepEqual(given, ['Its worker ended 3 times while it ran.']);
    assert.equal(runs, 1);
  });

  test('three deaths of its worker end a job, whatever its steps', async () => {
    const held = Promise.withResolvers<void>();
    ends.push(() => Promise.resolve(held.resolve()));
    const given: string[] = [];
    await enqueue('deadly');
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      const progressed = Promise.withResolvers<void>();
      const deadly = start({
        run: async (job) => {
          assert.equal(await inOrganization(db, one, (trx) => recordProgress(trx, job)), true);
          progressed.resolve();
          await held.promise;
        },
      });
      await progressed.promise;
      await deadly.vanish();
      // In between, an attempt makes progress, and fails for another reason.
      const next = start({
        run: async (job) => {
          await inOrganization(db, one, (trx) => recordProgress(trx, job));
          throw new RetryLater('away');
        },
        giveUp: (_job, reason) => Promise.resolve(void given.push(reason)),
      });
      await waitUntil('it has lost its worker', async () => (await find('deadly')).lost_leases === deaths);
      await makeDue();
      next.wake();
      await waitUntil('it was tried again', async () => {
        const { worker_id, error_content } = await find('deadly');
        return worker_id === null && error_content !== null;
      });
      await next.stop();
      await updateRows(owner, 'jobs', {}, { due_at: sql<string>`now()`, error_content: null });
    }
    assert.deepEqual(given, ['Its worker ended 3 times while it ran.']);
    assert.equal((await find('deadly')).state, 'failed');
  });

  test('the death of its process counts like that of its worker', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deadly-'));
    const program = join(folder, 'deadly.mjs');
    await writeFile(
      program,
      "process.on('message', ({ run }) => run && process.kill(process.pid, 'SIGKILL'));",
    );
    const given: string[] = [];
    const { handler, stop } = runInProcess(
      handle({
        run: () => Promise.resolve(),
        giveUp: (_job, reason) => Promise.resolve(void given.push(reason)),
        maxAttempts: 100,
      }),
      pathToFileURL(program),
      {},
    );
    const worker = startJobWorker(database, [handler]);
    ends.push(worker.stop, stop, () => rm(folder, { recursive: true }));
    await enqueue('deadly');
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      await waitUntil('it was lost', async () => (await find('deadly')).lost_leases >= deaths);
      await makeDue();
      worker.wake();
    }
    assert.equal((await ended('deadly')).attempts, 4);
    assert.deepEqual(given, ['Its worker ended 3 times while it ran.']);
  });

  test('progress resets the count of attempts', async () => {
    const steps: (boolean | string)[] = [];
    const worker = start({
      run: async (job) => {
        if (steps.length < 4) {
          steps.push(await inOrganization(db, one, (trx) => recordProgress(trx, job)));
          throw new RetryLater('later');
        }
        await updateRows(owner, 'jobs', { id: job.id }, { lease_token: newId() });
        steps.push(await inOrganization(db, one, (trx) => recordProgress(trx, job)));
      },
    });
    await enqueue('a');
    for (let count = 1; count <= 5; count += 1) {
      await waitUntil('it ran', () => steps.length >= count);
      await waitUntil('it is free', async () => count === 5 || (await find('a')).worker_id === null);
      await makeDue();
      worker.wake();
    }
    assert.deepEqual(steps.slice(0, 5), [true, true, true, true, false]);
  });

  test('a step that is taken again resets no count', async () => {
    const steps: boolean[] = [];
    const worker = start({
      run: async (job) => {
        steps.push(await inOrganization(db, one, (trx) => keepJob(trx, job)));
        throw new RetryLater('later');
      },
    });
    await enqueue('a');
    for (let count = 1; count < 3; count += 1) {
      await waitUntil('it waits', async () => {
        const { attempts, worker_id } = await find('a');
        return attempts === count && worker_id === null;
      });
      await makeDue();
      worker.wake();
    }
    assert.deepEqual([(await ended('a')).state, steps], ['failed', [true, true, true]]);
  });

  test('organizations take turns within the limits', async () => {
    const running: string[] = [];
    const held = Promise.withResolvers<void>();
    const works = {
      run: ({ key }: { key: string }) => (running.push(key), held.promise),
      perOrganization: 2,
    };
    for (const key of ['a', 'b', 'c', 'd']) await enqueue(key);
    await enqueue('x', other);
    const first = start({ ...works, concurrency: 2 });
    await waitUntil('two run', () => running.length === 2);
    assert.deepEqual(running.toSorted(), ['a', 'x']);
    const second = start({ ...works, concurrency: 5 });
    await waitUntil('three run', () => running.length === 3);
    await enqueue('y', other);
    await waitUntil('four run', () => running.length === 4);
    for (const worker of [first, second]) worker.wake();
    assert.deepEqual(running.toSorted(), ['a', 'b', 'x', 'y']);
    held.resolve();
    for (const key of ['a', 'b', 'c', 'd', 'x', 'y']) assert.equal((await ended(key)).attempts, 1);
  });

  test('a sequential worker alternates between organizations', async () => {
    const ran: string[] = [];
    for (const key of ['a', 'b', 'c']) await enqueue(key);
    for (const key of ['x', 'y']) await enqueue(key, other);
    start({ run: ({ key }) => Promise.resolve(void ran.push(key)), concurrency: 1 });
    await waitUntil('all ran', () => ran.length === 5);
    assert.deepEqual(ran, ['a', 'x', 'b', 'y', 'c']);
  });

  test('jobs of inactive organizations wait', async () => {
    const { id } = await buildOrganization(owner, { status: 'suspended' });
    await enqueue('a', id);
    const worker = start({ run: () => Promise.resolve() });
    await enqueue('b');
    await ended('b');
    assert.equal((await find('a')).attempts, 0);
    await updateRows(owner, 'organizations', { id }, { status: 'active' });
    worker.wake();
    await ended('a');
  });

  test('a stopping worker releases jobs without counting an attempt', async () => {
    const first = start({
      run: (_job, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new JobInterrupted()));
        }),
    });
    await enqueue('a');
    await waitUntil('it runs', async () => (await find('a')).worker_id !== null);
    await first.stop();
    const job = await find('a');
    assert.deepEqual([job.state, job.attempts, job.worker_id], ['open', 0, null]);
    start({ run: () => Promise.resolve() });
    assert.equal((await ended('a')).attempts, 1);
  });

  test('scheduled jobs run once for all workers, also after failures', async () => {
    const log: string[] = [];
    let isRunning = false;
    const work = {
      run: async () => {
        assert.equal(isRunning, false);
        isRunning = true;
        await new Promise(setImmediate);
        isRunning = false;
        log.push('ran');
        if (log.length === 2) throw new JobFailed('not today');
      },
      everyMs: minute,
      maxAttempts: 1,
      perOrganization: 1,
    };
    const every: JobKind<object> = { ...kind, name: 'every', payload: z.strictObject({}) };
    const limits = { delaysMs: [minute] as const, concurrency: 1 };
    const workers = [1, 2, 3].map(() =>
      startJobWorker(database, [handleJobs(every, { ...limits, ...work })]),
    );
    ends.push(...workers.map(({ stop }) => stop));
    for (const [count, error] of [
      [1, null],
      [2, 'not today'],
      [3, null],
    ] as const) {
      const job = await waitUntil(`it ran ${count} times`, async () => {
        // Check the log first: before the job runs, it has no worker either.
        if (log.length < count) return undefined;
        const current = await find('scheduled');
        return current.worker_id === null ? current : undefined;
      });
      assert.deepEqual([job.state, job.attempts, job.error_content], ['open', 0, error]);
      await makeDue();
      for (const { wake } of workers) wake();
    }
    const { rows } = await sql`select from jobs`.execute(owner);
    assert.equal(rows.length, 1);
  });

  test('waiting jobs cost workers and others no queries', async () => {
    const blocksRead = async (call: RawBuilder<unknown>) => {
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
        explain (analyze, buffers, format json) select * from ${call}
      `.execute(authDb);
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    };
    await sql`
      insert into jobs (organization_id, id, kind, key, due_at, state)
      select ${one}::uuid, gen_random_uuid(), 'test', n::text, now() + interval '1 day', 'open'
      from generate_series(1, 20000) n
      union all
      select ${one}::uuid, gen_random_uuid(), 'test', n::text, now() - interval '1 day', 'finished'
      from generate_series(1, 20000) n
    `.execute(owner);
    await sql`vacuum analyze jobs`.execute(owner);
    for (const call of [
      sql`due_jobs(array['test'], array[4], array[4], array[]::uuid[])`,
      sql`count_open_jobs('test', true, 100000)`,
    ]) {
      await blocksRead(call);
      const blocks = await blocksRead(call);
      assert.ok(blocks < 60, `${blocks} blocks`);
    }
  });
});
