import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inOrganization } from '../../platform/database/database.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { followTouchpoints } from './campaign-status.ts';

suite('campaign status', () => {
  const app = useSharedApp();

  async function statusOf(id: string): Promise<string> {
    const { status } = await getRow(app.owner, 'campaigns', '*', { id });
    return status;
  }

  test('a campaign status follows its active touchpoints', async () => {
    const campaign = await buildCampaign(app.owner, { status: 'running' });
    await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'sent' });
    await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'archived' });
    await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'draft', deleted: true });
    const follow = async () => {
      await inOrganization(app.services.db, campaign.organization_id, (trx) =>
        followTouchpoints(trx, campaign.id),
      );
      return await statusOf(campaign.id);
    };
    assert.equal(await follow(), 'completed');
    await updateRows(app.owner, 'campaigns', { id: campaign.id }, { status: 'archived' });
    assert.equal(await follow(), 'archived');
  });

  test('concurrent status changes are serialized', async () => {
    const campaign = await buildCampaign(app.owner, { status: 'running' });
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id, status: 'sending' });
    const changed = Promise.withResolvers<void>();
    const secondWaits = Promise.withResolvers<void>();
    const first = inOrganization(app.services.db, campaign.organization_id, async (trx) => {
      await updateRows(trx, 'touchpoints', { id: touchpoint.id }, { status: 'sent' });
      await followTouchpoints(trx, campaign.id);
      changed.resolve();
      await secondWaits.promise;
    });
    await changed.promise;
    const second = inOrganization(app.services.db, campaign.organization_id, (trx) =>
      followTouchpoints(trx, campaign.id),
    );
    await waitUntilSomebodyWaits(app.owner);
    secondWaits.resolve();
    await Promise.all([first, second]);
    assert.equal(await statusOf(campaign.id), 'completed');
  });

  test('a campaign of another organization is not found', async () => {
    const [campaign, other] = [await buildCampaign(app.owner), await buildCampaign(app.owner)];
    const foreign = inOrganization(app.services.db, other.organization_id, (trx) =>
      followTouchpoints(trx, campaign.id),
    );
    await assert.rejects(foreign, { code: 'not_found' });
  });
});
