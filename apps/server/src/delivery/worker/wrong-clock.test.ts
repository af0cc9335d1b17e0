import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startWatchedSend } from '../../testing/watched-send.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';

/** Runs first in the worker: its clock is two hours ahead. */
const twoHoursAhead = `
  const ahead = 2 * 3_600_000;
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...values) {
      if (values.length === 0) super(Right.now() + ahead);
      else super(...values);
    }
    static now() { return Right.now() + ahead; }
  };
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ahead });`;

suite('workers with a wrong clock', () => {
  const database = useSendDatabase(async () => {
    await worker?.kill();
    await relay.close();
  });
  let relay: FaultyRelay;
  let worker: WorkerProcess | undefined;

  before(async () => {
    relay = await startFaultyRelay();
  });

  function startWorkerAhead(): WorkerProcess {
    const { NODE_OPTIONS: options } = process.env;
    process.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(twoHoursAhead)}`;
    try {
      return startWorkerProcess(database, relay.url);
    } finally {
      if (options === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = options;
    }
  }

  test('all stored times use the clock of the database', async () => {
    const { owner } = database;
    relay.behave = (stage, recipient) => {
      if (stage !== 'rcpt') return undefined;
      if (/^user(?:[1-9]|10)@/.test(recipient) && relay.tries.get(recipient) === 1)
        return '450 4.2.0 not now';
      return recipient.startsWith('user11@') ? '550 5.1.1 no such user' : undefined;
    };
    const send = await startWatchedSend(database, { contacts: 40 });
    const { sendId } = send.fixture;
    worker = startWorkerAhead();
    await send.waitFor('all others have a result', ({ queued }) => queued === 10);
    const { rows: waiting } = await sql<{ least: number; most: number; age: number; send_due: number }>`
      select min(due_s) as least, max(due_s) as most, max(age_s) as age,
        (select extract(epoch from next_due_at - now())::float8 from touchpoint_sends where id = ${sendId}) as send_due
      from (select extract(epoch from due_at - now())::float8 as due_s,
          extract(epoch from now() - first_attempt_at)::float8 as age_s
        from delivery_queue where send_id = ${sendId}) waiting
    `.execute(owner);
    const { least, most, age, send_due } = waiting[0]!;
    // A minute, ± 20 %.
    assert.ok(least > 0 && most <= 72 && send_due <= 72, JSON.stringify(waiting));
    assert.ok(age >= 0 && age < 60, JSON.stringify(waiting));
    await send.letMinutesPass(2);
    await send.finish();
    const { rows: late } = await sql<{ what: string; count: number }>`
      select what, count(*)::int as count from (
        select 'result' as what, at from delivery_results where send_id = ${sendId}
        union all select 'acceptance', accepted_at from delivery_results where send_id = ${sendId} and state = 'sent'
        union all select 'bounce', at from events where send_id = ${sendId}
        union all select 'event total', (day + (array_position(running_counts, 1) - 1) * interval '15 minutes') at time zone 'UTC'
          from counts where subject_id = ${sendId} and day > '-infinity'
        union all select 'total', at from delivery_result_totals where send_id = ${sendId}
      ) stored where at > now() or at < now() - interval '30 minutes'
      group by what
    `.execute(owner);
    assert.deepEqual(late, []);
    const { rows } = await sql<{ bounces: number }>`
      select count(*)::int as bounces from events e
      join delivery_results r on r.organization_id = e.organization_id and r.send_id = e.send_id and r.seq = e.seq
      where e.send_id = ${sendId} and e.at = r.at`.execute(owner);
    assert.equal(rows[0]!.bounces, 1);
  });
});
