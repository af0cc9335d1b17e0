import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { newId } from '../../platform/ids.ts';
import { execute, type Transaction } from '../../platform/database/database.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import { useTestApp } from '../../testing/app.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { buildOrganization, buildTouchpoint } from '../../sample/records.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { letLocksWait, waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { limitedTransaction, workloads } from './limited-transaction.ts';

suite('connection limits', () => {
  const app = useTestApp();

  before(async () => {
    await letLocksWait(app);
  });

  const waitForLockAs = (actor: { userId: string; organizationId: string }, lock: number) =>
    limitedTransaction(app.services.db, actor, (trx) => execute(trx)`select pg_advisory_xact_lock(${lock})`);
  const same = newId();
  const others: [who: string, actor: () => { userId: string; organizationId: string }][] = [
    ['one user in many organizations', () => ({ userId: same, organizationId: newId() })],
    ['many users of one organization', () => ({ userId: newId(), organizationId: same })],
  ];
  for (const [lock, [who, actor]] of others.entries()) {
    test(`${who} cannot take the connections of others (TMO-2)`, async () => {
      const { id } = await buildOrganization(app.owner);
      const member = await app.signInMember(id);
      const waiting = await app.owner.transaction().execute(async (holder) => {
        await execute(holder)`select pg_advisory_xact_lock(${lock})`;
        const ended: unknown[] = [];
        const all = Array.from({ length: 12 }, async () => {
          ended.push(await waitForLockAs(actor(), lock));
        });
        // Requests without a connection fail after the maximum wait.
        const settled = Promise.allSettled(all);
        await app.ok('GET', `/api/clients?organization_id=${id}`, { as: member });
        assert.deepEqual(ended, [], 'while nobody of them got through');
        return { settled };
      });
      const outcomes = await waiting.settled;
      assert.ok(outcomes.some((outcome) => outcome.status === 'fulfilled'));
    });
  }
});

suite('bulk work', () => {
  // Long enough for all that a page asks for, on a busy machine too.
  const app = useTestApp({}, { limits: { maxWaitMs: 5_000 } });

  test('lists that programs write delay no page of their organization (RATE-1)', async () => {
    await letLocksWait(app);
    const { owner, organizationId: organization_id } = await signInOwner(app);
    const colleague = await app.signInMember(organization_id);
    const { id, campaign_id } = await buildTouchpoint(app.owner, { organization_id });
    const keys = await Promise.all(
      [owner, colleague].map(({ userId }) => makeKeyOf(app, organization_id, userId)),
    );
    const holder = new Client({ connectionString: app.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table content_items in share mode');
    const lists = Array.from({ length: 6 }, (_, list) =>
      app.request('POST', `/content/${organization_id}/items/contacts`, {
        as: keys[list % keys.length],
        body: Array.from({ length: 500 }, (_item, item) => ({ email: `c${list}.${item}@example.com` })),
      }),
    );
    const reads = [
      `/api/touchpoints/${id}/review`,
      `/api/content/${organization_id}/reachout/touchpoint_emails/stats?touchpoint=${id}`,
      `/api/dashboard?organization_id=${organization_id}&period=30day`,
      `/api/campaigns?organization_id=${organization_id}&search=`,
      `/api/campaigns?organization_id=${organization_id}&search=c`,
    ];
    try {
      await waitUntilSomebodyWaits(app.owner);
      for (const as of [owner, colleague]) {
        const page = await Promise.all([
          ...reads.map((path) => app.request('GET', path, { as })),
          app.request('PATCH', `/api/campaigns/${campaign_id}`, { as, body: { name: 'Spring' } }),
        ]);
        assert.deepEqual(
          page.map(({ status, body }) => [status, body.detail]),
          page.map(() => [200, undefined]),
        );
      }
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    assert.ok(statuses.includes(200), statuses.join(', '));
  });
});

suite('expensive transactions', () => {
  // A statement lasts twice as long as the usual wait of a request. A new user waits up to 2.4 s, so a busy machine may
  // delay the end of a statement by a second.
  const scaled = { maxWaitMs: 600 };
  const statementSeconds = 1.2;
  const app = useTestApp({}, { limits: scaled });

  for (const [hostile, requests] of [
    [3, 1],
    [10, 2],
  ] as const) {
    test(`a new user is served beside ${hostile} accounts with slow statements (RATE-1)`, async (t) => {
      const { id } = await buildOrganization(app.owner);
      const newcomer = await app.signInMember(id);
      const attack = attackWith(hostile);
      try {
        await waitUntil('all connections are in use', () => Promise.resolve(attack.started() >= 3));
        for (let asked = 0; asked < requests; asked += 1) {
          const startedAt = performance.now();
          const path = `/api/campaigns?organization_id=${id}&search=spring`;
          const { status } = await app.request('GET', path, { as: newcomer });
          t.diagnostic(`waited ${Math.round(performance.now() - startedAt)} ms`);
          assert.equal(status, 200);
        }
      } finally {
        await attack.end();
      }
    });
  }

  test('no statement is cut off for the dashboard of the first page (RATE-1)', async () => {
    const { id } = await buildOrganization(app.owner);
    const newcomer = await app.signInMember(id);
    let started = 0;
    const running = Array.from({ length: workloads.expensive.connections }, () =>
      limitedTransaction(
        app.services.expensiveDb,
        { userId: newId(), organizationId: newId() },
        async (trx) => {
          started += 1;
          await execute(trx)`select pg_sleep(${statementSeconds})`;
        },
        'expensive',
      ),
    );
    const ended = Promise.allSettled(running);
    await waitUntil('all connections are in use', () => Promise.resolve(started === running.length));
    const path = `/api/start?organization_id=${id}&dashboard[period]=30day`;
    const { status, body } = await app.request<{ dashboard: unknown }>('GET', path, { as: newcomer });
    assert.deepEqual([status, body.dashboard], [200, null]);
    assert.deepEqual(
      (await ended).map((outcome) => outcome.status),
      running.map(() => 'fulfilled'),
    );
  });

  /** Each account asks for three slow statements at once, again and again. */
  function attackWith(accounts: number) {
    const over = new AbortController();
    let started = 0;
    const work = async (trx: Transaction) => {
      started += 1;
      if (!over.signal.aborted) await sql`select pg_sleep(${statementSeconds})`.execute(trx);
    };
    const askWithoutEnd = async () => {
      const actor = { userId: newId(), organizationId: newId() };
      const ask = () => limitedTransaction(app.services.expensiveDb, actor, work, 'expensive');
      while (!over.signal.aborted) {
        await withWaitBudget(() => Promise.allSettled([ask(), ask(), ask()]), scaled.maxWaitMs);
        await immediate();
      }
    };
    const attack = Promise.all(Array.from({ length: accounts }, askWithoutEnd));
    return {
      started: () => started,
      end: async () => {
        over.abort();
        await execute(app.owner)`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'
        `;
        await attack;
      },
    };
  }
});
