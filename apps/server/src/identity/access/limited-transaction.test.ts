import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../../platform/ids.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { buildOrganization } from '../../testing/builders.ts';
import { letLocksWait } from '../../testing/wait-for-lock.ts';
import { limitedTransaction } from './limited-transaction.ts';

suite('connections', () => {
  let app: TestApp;

  before(async () => {
    app = await createTestApp();
    await letLocksWait(app);
  });
  after(() => app.close());

  const waitForLockAs = (actor: { userId: string; organizationId: string }, lock: number) =>
    limitedTransaction(app.services.db, actor, (trx) =>
      sql`select pg_advisory_xact_lock(${lock})`.execute(trx),
    );
  const same = newId();
  const others: [who: string, actor: () => { userId: string; organizationId: string }][] = [
    ['one person, in many organizations', () => ({ userId: same, organizationId: newId() })],
    ['one organization, by many people', () => ({ userId: newId(), organizationId: same })],
  ];
  for (const [lock, [who, actor]] of others.entries()) {
    test(`are not taken from the others by ${who} (TMO-2)`, async () => {
      const { id } = await buildOrganization(app.owner);
      const member = await app.signInMember(id);
      const waiting = await app.owner.transaction().execute(async (holder) => {
        await sql`select pg_advisory_xact_lock(${lock})`.execute(holder);
        const ended: unknown[] = [];
        const all = Array.from({ length: 12 }, async () => {
          ended.push(await waitForLockAs(actor(), lock));
        });
        // Requests without a connection fail after the maximum wait.
        const settled = Promise.allSettled(all);
        const { status } = await app.request('GET', `/api/clients?organization_id=${id}`, { as: member });
        assert.equal(status, 200);
        assert.deepEqual(ended, [], 'while nobody of them got through');
        return { settled };
      });
      const outcomes = await waiting.settled;
      assert.ok(outcomes.some((outcome) => outcome.status === 'fulfilled'));
    });
  }
});
