import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildCampaign, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow } from '../../testing/rows.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { setTouchpointStatus } from './touchpoint-status.ts';
import { lockCurrentTouchpoint } from './touchpoint.queries.ts';
import { removeTouchpoint } from './touchpoint.routes.ts';

suite('touchpoints in a send', () => {
  const app = useSharedApp();

  test('a send moves touchpoint and campaign forward', async () => {
    const campaign = await buildCampaign(app.owner, { updated_at: '2026-01-01T00:00:00Z' });
    const { id } = await buildTouchpoint(app.owner, { campaign_id: campaign.id });
    const set = (to: TouchpointStatus) =>
      inOrganization(app.services.db, campaign.organization_id, (trx) => setTouchpointStatus(trx, id, to));
    await set('scheduled');
    await assert.rejects(set('sent'), {
      code: 'invalid_transition',
      status: 409,
      data: { from: 'scheduled', to: 'sent' },
    });
    const { status, updated_at } = await getRow(app.owner, 'campaigns', '*', { id: campaign.id });
    assert.equal(status, 'scheduled');
    assert.ok(updated_at > '2026-01-02');
  });

  test('a touchpoint cannot be deleted while its send starts', async () => {
    const touchpoint = await buildTouchpoint(app.owner);
    const inside = <T>(work: Parameters<typeof inOrganization<T>>[2]) =>
      inOrganization(app.services.db, touchpoint.organization_id, work);
    const begun = Promise.withResolvers<void>();
    const removalWaits = Promise.withResolvers<void>();
    const send = inside(async (trx) => {
      await lockCurrentTouchpoint(trx, touchpoint.id);
      begun.resolve();
      await removalWaits.promise;
      await insertRows(trx, 'touchpoint_sends', {
        id: touchpoint.id,
        organization_id: touchpoint.organization_id,
        touchpoint_id: touchpoint.id,
        brand_id: touchpoint.campaign_id,
        send_date: new Date().toISOString(),
      });
    });
    await begun.promise;
    const removal = inside((trx) => removeTouchpoint(trx, touchpoint.id));
    const refused = assert.rejects(removal, { code: 'send_in_progress' });
    await waitUntilSomebodyWaits(app.owner);
    removalWaits.resolve();
    await send;
    await refused;
  });

  test('a send cannot start below deleted records', async () => {
    const { touchpoint_id, organization_id } = await buildSend(app.owner, { status: 'completed' });
    const lock = () =>
      inOrganization(app.services.db, organization_id, (trx) => lockCurrentTouchpoint(trx, touchpoint_id));
    assert.equal((await lock()).type, 'email');
    for (const table of ['clients', 'brands', 'campaigns', 'touchpoints'] as const) {
      const mark = (deleted: boolean) =>
        app.owner
          .updateTable(table)
          .set({ deleted })
          .where('organization_id', '=', organization_id)
          .execute();
      await mark(true);
      await assert.rejects(lock(), { code: 'not_found' });
      await mark(false);
    }
  });
});
