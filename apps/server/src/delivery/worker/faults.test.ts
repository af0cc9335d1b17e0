import { describeSendError, sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { startFaultyRelay, type FaultyRelay } from '../../testing/faulty-relay.ts';
import { countAccounts, readSendError, type Accounts } from '../../testing/send-accounts.ts';
import { buildSend } from '../../sample/records.ts';
import { getRow } from '../../testing/rows.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { buildDueSend, letQueuedBeDue, type SendFixture } from '../../testing/send-fixture.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { decideUncertain, resumeSend } from '../sends/change-send.ts';
import { prepareSend } from './prepare-send.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

// Faults are bounded (docs/sending.md): a fault of one message does not stop the others, and it ends or waits for a person.

suite('faults around a send', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let wakeWorkers: () => Promise<void>;

  before(() => {
    ({ owner, app } = database);
    wakeWorkers = createWaker(owner);
  });

  /** Runs `work` with a worker that sends through its own relay. */
  async function withWorker(
    work: (relay: FaultyRelay) => Promise<void>,
    timeouts: { command?: number; endOfData?: number } = {},
    db = app,
  ): Promise<void> {
    const relay = await startFaultyRelay();
    // As by default.
    const smtp = { url: relay.url, connections: 16, backOffMs: 20, timeouts };
    const worker = startSendWorker(database, { ...smtp, inFlightLimit: 64, db });
    try {
      await work(relay);
    } finally {
      await worker.stop();
      await relay.close();
    }
  }

  const waitForAccounts = (
    { sendId }: SendFixture,
    what: string,
    isSo: (accounts: Accounts) => boolean,
  ): Promise<Accounts> =>
    waitUntil(what, async () => {
      await wakeWorkers();
      const accounts = await countAccounts(owner, sendId);
      assert.deepEqual(accounts.rows, accounts.counters);
      return isSo(accounts) ? accounts : undefined;
    });

  const errorOf = ({ sendId }: SendFixture) => readSendError(owner, sendId);

  test('lost connections defer and finally fail single messages', async () => {
    await withWorker(async (relay) => {
      const isBad = (recipient: string) => /^user(7|70|150)@/.test(recipient);
      relay.behave = (stage, recipient) =>
        isBad(recipient) && stage === (recipient.startsWith('user70@') ? 'rcpt' : 'data')
          ? 'reset'
          : undefined;
      const fixture = await buildDueSend(owner, { contacts: 300 });
      await waitForAccounts(fixture, 'all others are sent', ({ counters }) => counters.sent === 297);
      const deferred = () =>
        sql<{ interruptions: number; error: SendError }>`
          select interruptions, error from delivery_queue where send_id = ${fixture.sendId} and worker_id is null`
          .execute(owner)
          .then(({ rows }) => rows);
      await waitUntil('they wait', async () => (await deferred()).length === 3 || undefined);
      for (const { interruptions, error } of await deferred()) {
        assert.equal(interruptions, 2);
        assert.match(describeSendError(error), /^The connection to the mail server was lost \((rcpt|data)\)/);
      }
      assert.equal(await errorOf(fixture), null);
      for (const interruptions of [3, 4]) {
        await letQueuedBeDue(owner, fixture.sendId);
        await waitUntil('they were tried again', async () =>
          (await deferred()).filter((row) => row.interruptions === interruptions).length === 3
            ? true
            : undefined,
        );
      }
      await letQueuedBeDue(owner, fixture.sendId);
      const ended = await waitForAccounts(fixture, 'the send ends', ({ hasEnded }) => hasEnded);
      assert.equal(ended.counters.failed, 3);
      // Each attempt may need a second connection: the first one may have been closed while it was idle. When these three
      // have lost ten connections in a row, some tries do not count (breaker of the lane).
      assert.ok(relay.tries.get('user7@sink.example')! <= 16);
      assert.equal(relay.copies.get('user7@sink.example'), undefined);
    });
  });

  test('unconfirmed messages get two copies, then a person decides', async () => {
    await withWorker(async (relay) => {
      const fixture = await buildDueSend(owner, { contacts: 40 });
      relay.behave = (stage, recipient) =>
        stage === 'message' && recipient.startsWith('user5@') ? 'reset' : undefined;
      await waitForAccounts(fixture, 'all others are sent', ({ counters }) => counters.sent === 39);
      await letQueuedBeDue(owner, fixture.sendId);
      await waitUntil('it is held', async () => {
        const { rows } = await sql`
          select from delivery_queue where send_id = ${fixture.sendId} and due_at is null and worker_id is null`.execute(
          owner,
        );
        return rows.length === 1 || undefined;
      });
      const copies = relay.copies.get('user5@sink.example') ?? [];
      assert.equal(copies.length, 2);
      assert.equal(new Set(copies).size, 1);
      assert.deepEqual((await countAccounts(owner, fixture.sendId)).hasEnded, false);
      await inOrganization(app, fixture.organizationId, (trx) =>
        decideUncertain(trx, fixture.sendId, 'treat_as_sent'),
      );
      await waitForAccounts(fixture, 'the send ends', ({ hasEnded }) => hasEnded);
    });
  });

  test('a send without confirmations pauses until it is resumed', async () => {
    await withWorker(
      async (relay) => {
        relay.behave = (stage) => (stage === 'message' ? 'silence' : undefined);
        const fixture = await buildDueSend(owner, { contacts: 100, uncertain_policy: 'hold' });
        const paused = await waitForAccounts(
          fixture,
          'the send pauses',
          ({ status, counters }) => status === 'paused' && counters.uncertain >= 5,
        );
        assert.equal((await errorOf(fixture))?.code, 'often_unconfirmed');
        assert.ok(paused.counters.uncertain <= 16 + 6, String(paused.counters.uncertain));
        relay.behave = () => undefined;
        // On a busy machine, a good reply may also be late, which needs another decision of a person.
        const ended = await waitUntil('the send ends', async () => {
          const accounts = await countAccounts(owner, fixture.sendId);
          if (accounts.hasEnded) return accounts;
          await inOrganization(app, fixture.organizationId, async (trx) => {
            if (accounts.status === 'paused') await resumeSend(trx, fixture.sendId);
            else await decideUncertain(trx, fixture.sendId, 'retry');
            // It may have ended meanwhile.
          }).catch(() => undefined);
          return undefined;
        });
        assert.equal(ended.counters.sent, 100);
      },
      { endOfData: 500 },
    );
  });

  test('defects retry with a pause and finally stop the send', async () => {
    const unprepared = await buildDueSend(owner, { contacts: 3 });
    await sql`update touchpoint_send_contents set audience = '{"rule": {"kind": "of another version"}}'
      where send_id = ${unprepared.sendId}`.execute(owner);
    const unloaded = await buildDueSend(owner, { contacts: 3 });
    await sql`update touchpoint_send_contents set content = content - 'context'
      where send_id = ${unloaded.sendId}`.execute(owner);
    const unleased = await buildDueSend(owner, { contacts: 3 });
    await sql`create function fail_lease() returns trigger language plpgsql as $$ begin raise 'a defect'; end $$`.execute(
      owner,
    );
    await sql
      .raw(
        `create trigger fail_lease before update on delivery_chunks for each row
          when (new.send_id = '${unleased.sendId}') execute function fail_lease()`,
      )
      .execute(owner);
    await withWorker(async () => {
      for (const [{ sendId }, end] of [
        [unprepared, 'failed'],
        [unloaded, 'paused'],
        [unleased, 'paused'],
      ] as const) {
        const read = () =>
          getRow(owner, 'touchpoint_sends', ['status', 'failure_count', 'error', 'next_due_at'], {
            id: sendId,
          });
        for (const failures of [1, 2, 3, 4]) {
          await waitUntil(`failure ${failures}`, async () => (await read()).failure_count === failures);
          assert.ok(Date.parse((await read()).next_due_at!) > Date.now());
          await sql`update touchpoint_sends set next_due_at = now() where id = ${sendId}`.execute(owner);
          await owner.transaction().execute(notifyWorkers);
        }
        await waitUntil('a person is needed', async () => (await read()).status === end);
        assert.deepEqual((await read()).error, sendError(`unexpected_${end}`, { count: 5 }));
      }
    });
    await sql`drop trigger fail_lease on delivery_chunks`.execute(owner);
  });

  test('a send with wrong counters pauses until they are corrected', async () => {
    const [refused, unfinished] = [
      await buildDueSend(owner, { contacts: 3 }),
      await buildDueSend(owner, { contacts: 3 }),
    ];
    for (const fixture of [refused, unfinished]) assert.ok(await prepareSend(app, mailboxPolicies, fixture));
    const ids = [refused.sendId, unfinished.sendId];
    // The counters of the chunk would be added to this, beyond the total.
    await sql`update touchpoint_sends set recipients_total_sent_count = 3 where id = any(${ids}::uuid[])`.execute(
      owner,
    );
    await sql`update touchpoint_sends set failure_count = 4 where id = ${unfinished.sendId}`.execute(owner);
    await sql`update delivery_chunks set done = true, lease_token = 1, sent_count = 3, marked_up_to = 3
      where send_id = ${unfinished.sendId}`.execute(owner);
    await withWorker(async (relay) => {
      for (const fixture of [refused, unfinished]) {
        await waitUntil('it pauses', async () => {
          await wakeWorkers();
          return (await errorOf(fixture))?.code === 'unexpected_paused';
        });
        assert.deepEqual(await errorOf(fixture), sendError('unexpected_paused', { count: 5 }));
      }
      assert.equal(relay.copies.size, 3);
      await sql`update touchpoint_sends set recipients_total_sent_count = 0 where id = ${refused.sendId}`.execute(
        owner,
      );
      await inOrganization(app, refused.organizationId, (trx) => resumeSend(trx, refused.sendId));
      const { counters } = await waitForAccounts(refused, 'it ends', ({ hasEnded }) => hasEnded);
      assert.equal(counters.sent, 3);
      assert.equal([...relay.copies.values()].flat().length, 3);
    });
  });

  test('three dead workers pause a send', async () => {
    const fixture = await buildDueSend(owner, { contacts: 3 });
    await sql`update touchpoint_sends set worker_deaths = 3 where id = ${fixture.sendId}`.execute(owner);
    await withWorker(async () => {
      await waitForAccounts(fixture, 'the send pauses', ({ status }) => status === 'paused');
      assert.deepEqual(await errorOf(fixture), sendError('worker_ended', { count: 3 }));
      await inOrganization(app, fixture.organizationId, (trx) => resumeSend(trx, fixture.sendId));
      await waitForAccounts(fixture, 'the send ends', ({ hasEnded }) => hasEnded);
    });
  });

  test('a send that is a day late needs a person', async () => {
    const queued = await buildDueSend(owner, { contacts: 3 });
    const sending = await buildDueSend(owner, { contacts: 3 });
    assert.ok(await prepareSend(app, mailboxPolicies, sending));
    await sql`update touchpoint_sends set next_due_at = now() - interval '25 hours'
      where id in (${queued.sendId}, ${sending.sendId})`.execute(owner);
    await withWorker(async (relay) => {
      await waitForAccounts(queued, 'the one that had not begun is held', ({ status }) => status === 'held');
      await waitForAccounts(sending, 'the other one pauses', ({ status }) => status === 'paused');
      assert.deepEqual(await errorOf(queued), sendError('started_late'));
      assert.equal(relay.tries.size, 0);
      await inOrganization(app, sending.organizationId, (trx) => resumeSend(trx, sending.sendId));
      await waitForAccounts(sending, 'a person resumes it', ({ hasEnded }) => hasEnded);
    });
  });

  test('an audience of a newer version fails the send', async () => {
    const fixture = await buildDueSend(owner, { contacts: 3 });
    await sql`update touchpoint_send_contents set audience = jsonb_set(audience, '{version}', '999')
      where send_id = ${fixture.sendId}`.execute(owner);
    await withWorker(async () => {
      await waitForAccounts(fixture, 'the send fails', ({ status }) => status === 'failed');
      assert.deepEqual(await errorOf(fixture), sendError('audience_of_newer_version'));
    });
  });

  test('closed connections count against few messages', async () => {
    await withWorker(async (relay) => {
      relay.behave = (stage) => (stage === 'rcpt' ? 'reset' : undefined);
      const fixture = await buildDueSend(owner, { contacts: 100 });
      await waitUntil(
        'the send says so',
        async () => (await errorOf(fixture))?.code === 'connections_closed',
      );
      relay.behave = () => undefined;
      // A connection that was closed before may still defer its message.
      const ended = await waitUntil('the send ends', async () => {
        await letQueuedBeDue(owner, fixture.sendId);
        const accounts = await countAccounts(owner, fixture.sendId);
        return accounts.hasEnded ? accounts : undefined;
      });
      assert.equal(ended.counters.sent, 100);
    });
  });

  test('the last messages are deferred when connections close', async () => {
    await withWorker(async (relay) => {
      relay.behave = (stage) => (stage === 'rcpt' ? 'reset' : undefined);
      const fixture = await buildDueSend(owner, { contacts: 12 });
      await waitUntil('a try after the breaker was open counts', async () => {
        const { rows } = await sql`
          select from delivery_queue where send_id = ${fixture.sendId} and interruptions = 1 and due_at > now()
        `.execute(owner);
        return rows.length > 0;
      });
      await sql`update touchpoint_sends set status = 'paused', next_due_at = null where id = ${fixture.sendId}`.execute(
        owner,
      );
    });
  });

  test('suppressions apply to messages that already wait (EML-6)', async () => {
    const relay = await startFaultyRelay();
    // The queued messages are leased at once, and two of them are handed to the SMTP pool.
    const worker = startSendWorker(database, {
      url: relay.url,
      connections: 1,
      inFlightLimit: 32,
      renewMs: 50,
    });
    relay.behave = (stage) => (stage === 'rcpt' ? '450 4.2.0 not now' : undefined);
    const fixture = await buildDueSend(owner, { contacts: 8 });
    const { sendId } = fixture;
    await waitUntil('all wait', async () => {
      const { rows } =
        await sql`select from delivery_queue where send_id = ${sendId} and due_at > now()`.execute(owner);
      return rows.length === 8;
    });
    const gate = Promise.withResolvers<undefined>();
    let held = 0;
    relay.behave = (stage) => {
      if (stage !== 'mail') return undefined;
      held += 1;
      return gate.promise;
    };
    await letQueuedBeDue(owner, sendId);
    await waitUntil('the first is held up', () => held > 0);
    await sql`
      insert into choices (kind, id, organization_id, address_key, value)
      select 'suppression', gen_random_uuid(), organization_id, lower(address), 'unsubscribe' from deliveries
      where send_id = ${sendId} and seq > 2
    `.execute(owner);
    // It polls after each renewal: after the third one, it has certainly polled.
    const renewals = new Set<string>();
    await waitUntil('the worker has looked', async () => {
      const { rows } = await sql<{ lease_until: string | null }>`
        select max(lease_until) as lease_until from delivery_queue where send_id = ${sendId}`.execute(owner);
      if (rows[0]?.lease_until) renewals.add(rows[0].lease_until);
      return renewals.size > 3;
    });
    gate.resolve(undefined);
    const ended = await waitForAccounts(fixture, 'the send ends', ({ hasEnded }) => hasEnded);
    assert.deepEqual([ended.counters.sent, ended.counters.suppressed], [2, 6]);
    await worker.stop();
    await relay.close();
  });

  test('sends of other workers cause no extra queries (JOB-3)', async () => {
    const held = [await buildDueSend(owner, { contacts: 3 }), await buildDueSend(owner, { contacts: 3 })];
    const free = await buildDueSend(owner, { contacts: 3 });
    let queries = 0;
    let looks = 0;
    const counted = app.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        if (node.kind === 'RawNode' && node.sqlFragments.join('').includes('due_sends')) looks += 1;
        return node;
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    });
    await owner.transaction().execute(async (trx) => {
      await sql`select from touchpoint_sends where id = any(${held.map(({ sendId }) => sendId)}) for no key update`.execute(
        trx,
      );
      const work = async () => {
        await waitForAccounts(free, 'the other one ends', ({ hasEnded }) => hasEnded);
        const atFirst = { queries, looks, at: performance.now() };
        for (let wanted = 1; wanted <= 20; wanted += 1) {
          await owner.transaction().execute(notifyWorkers);
          await waitUntil('the worker looks', () => looks >= atFirst.looks + wanted);
        }
        // A poll finds both and leaves them alone: they do not trigger another poll at once.
        const bySelf = Math.ceil((performance.now() - atFirst.at) / 1_000);
        assert.ok(looks <= atFirst.looks + 25 + bySelf, `${looks - atFirst.looks} looks`);
        assert.ok(queries <= atFirst.queries + 50 + 2 * bySelf, `${queries - atFirst.queries} queries`);
      };
      await withWorker(work, {}, counted);
    });
  });

  test('an organization prepares one send at a time (JOB-3)', async () => {
    const first = await buildDueSend(owner, { contacts: 3 });
    const { organizationId } = first;
    const second = await buildSend(owner, { organization_id: organizationId, status: 'queued' });
    await sql`
      insert into touchpoint_send_contents (organization_id, send_id, content, audience)
      select organization_id, ${second.id}, content, audience from touchpoint_send_contents
      where send_id = ${first.sendId}`.execute(owner);
    const other = await buildDueSend(owner, { contacts: 3 });
    await sql`
      create function wait_for_test() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger wait_for_test before insert on delivery_chunks for each row
        when (new.organization_id = ${sql.lit(organizationId)}) execute function wait_for_test()`.execute(
      owner,
    );
    const isHeld = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = owner.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(4711)`.execute(trx);
      isHeld.resolve();
      await release.promise;
    });
    await isHeld.promise;
    await withWorker(async () => {
      try {
        await waitForAccounts(other, 'that of another ends', ({ hasEnded }) => hasEnded);
        // Not the statuses: on a busy machine, the first may have reached its time limit, and the other one follows.
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and not granted and objid = 4711
            and database = (select oid from pg_database where datname = current_database())`.execute(owner);
        assert.equal(rows.length, 1);
      } finally {
        release.resolve();
        await holding;
      }
    });
  });

  test('a preparation that takes too long is retried (JOB-3)', async () => {
    const fixture = await buildDueSend(owner, { contacts: 3 });
    const { sendId } = fixture;
    await sql`
      create function take_too_long() returns trigger language plpgsql
        as $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
      create trigger take_too_long before insert on delivery_chunks for each row
        when (new.send_id = ${sql.lit(sendId)}) execute function take_too_long()`.execute(owner);
    await withWorker(async () => {
      await waitUntil('the failure is noted', async () => {
        const { rows } = await sql`
          select from touchpoint_sends where id = ${sendId} and failure_count = 1 and next_due_at > now() + interval '5 s'`.execute(
          owner,
        );
        return rows.length === 1;
      });
    });
    // A worker that polled before leaves it alone, too.
    await sql`drop function take_too_long cascade`.execute(owner);
    assert.equal(await prepareSend(app, mailboxPolicies, fixture), undefined);
    await sql`update touchpoint_sends set next_due_at = now() where id = ${sendId}`.execute(owner);
    assert.ok(await prepareSend(app, mailboxPolicies, fixture));
  });
});
