import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  touchpointStatuses,
  type TouchpointStatus,
  type TouchpointType,
} from '@reachout/contract/statuses.ts';
import { connect, inOrganization, type Database } from '../../platform/database/database.ts';
import { isPossible } from '../../platform/transitions.ts';
import { buildCampaign, buildSend, buildTouchpoint } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { removeTouchpoint } from './change-touchpoint.ts';
import { touchpointTransitions } from './touchpoint.ts';
import { lockCurrentTouchpoint } from './touchpoint.queries.ts';
import { setTouchpointStatus } from './touchpoint-status.ts';

const arrows = (type: TouchpointType) =>
  touchpointStatuses
    .flatMap((from) =>
      touchpointStatuses
        .filter((to) => isPossible(touchpointTransitions[type], from, to))
        .map((to) => `${from}>${to}`),
    )
    .sort();

test('touchpoints go from status to status by the table alone', () => {
  assert.deepEqual(arrows('email'), [
    'active>archived',
    'active>paused',
    'archived>draft',
    'draft>active',
    'draft>archived',
    'draft>scheduled',
    'paused>active',
    'paused>archived',
    'paused>draft',
    'paused>sending',
    'paused>sent',
    'scheduled>archived',
    'scheduled>draft',
    'scheduled>sending',
    'sending>draft',
    'sending>paused',
    'sending>sent',
    'sent>archived',
  ]);
  assert.deepEqual(arrows('website'), [
    'active>archived',
    'active>paused',
    'archived>draft',
    'draft>active',
    'draft>archived',
    'paused>active',
    'paused>archived',
  ]);
});

suite('a touchpoint in a send', () => {
  let database: TestDatabase;
  let owner: Database;
  let db: Database;
  const options = { connections: 6, statementTimeoutMs: 5_000, name: 'tests', onError: () => {} };

  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, options);
    db = connect(database.appUrl, options);
  });
  after(async () => {
    await Promise.all([owner.destroy(), db.destroy()]);
    await database.drop();
  });

  test('is moved on, and its campaign counts as changed', async () => {
    const campaign = await buildCampaign(owner, { updated_at: '2026-01-01T00:00:00Z' });
    const { id } = await buildTouchpoint(owner, { campaign_id: campaign.id });
    const set = (from: readonly TouchpointStatus[], to: TouchpointStatus) =>
      inOrganization(db, campaign.organization_id, (trx) => setTouchpointStatus(trx, id, from, to));
    assert.deepEqual(await set(['draft'], 'scheduled'), { status: 'draft', campaign_id: campaign.id });
    await assert.rejects(set(['draft'], 'scheduled'), { code: 'invalid_transition', status: 409 });
    await assert.rejects(set(['scheduled'], 'sent'), {
      code: 'invalid_transition',
      data: { from: 'scheduled', to: 'sent' },
    });
    const { updated_at } = await owner
      .selectFrom('campaigns')
      .select('updated_at')
      .where('id', '=', campaign.id)
      .executeTakeFirstOrThrow();
    assert.ok(updated_at > '2026-01-02');
  });

  test('cannot be deleted while the send begins', async () => {
    const touchpoint = await buildTouchpoint(owner);
    const inside = <T>(work: Parameters<typeof inOrganization<T>>[2]) =>
      inOrganization(db, touchpoint.organization_id, work);
    const begun = Promise.withResolvers<void>();
    const removalWaits = Promise.withResolvers<void>();
    const send = inside(async (trx) => {
      await lockCurrentTouchpoint(trx, touchpoint.id);
      begun.resolve();
      await removalWaits.promise;
      await trx
        .insertInto('touchpoint_sends')
        .values({
          id: touchpoint.id,
          organization_id: touchpoint.organization_id,
          touchpoint_id: touchpoint.id,
          brand_id: touchpoint.campaign_id,
          send_date: new Date().toISOString(),
        })
        .execute();
    });
    await begun.promise;
    const removal = inside((trx) => removeTouchpoint(trx, touchpoint.id));
    const refused = assert.rejects(removal, { code: 'send_in_progress' });
    await waitUntilSomebodyWaits(owner);
    removalWaits.resolve();
    await send;
    await refused;
  });

  test('does not begin beneath what is deleted', async () => {
    const { touchpoint_id, organization_id } = await buildSend(owner, { status: 'completed' });
    const lock = () =>
      inOrganization(db, organization_id, (trx) => lockCurrentTouchpoint(trx, touchpoint_id));
    assert.equal((await lock()).type, 'email');
    for (const table of ['clients', 'brands', 'campaigns', 'touchpoints'] as const) {
      const mark = (deleted: boolean) =>
        owner.updateTable(table).set({ deleted }).where('organization_id', '=', organization_id).execute();
      await mark(true);
      await assert.rejects(lock(), { code: 'not_found' });
      await mark(false);
    }
  });
});
