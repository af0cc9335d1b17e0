import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { connect, inOrganization, type Database } from '../../platform/database/database.ts';
import { buildCampaign, buildTouchpoint } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { followTouchpoints } from './campaign-status.ts';

suite('campaign status', () => {
  let database: TestDatabase;
  let owner: Database;
  let db: Database;
  const options = { connections: 4, statementTimeoutMs: 5_000, name: 'tests', onError: () => {} };

  before(async () => {
    database = await createTestDatabase();
    owner = connect(database.ownerUrl, options);
    db = connect(database.appUrl, options);
  });
  after(async () => {
    await Promise.all([owner.destroy(), db.destroy()]);
    await database.drop();
  });

  async function statusOf(id: string): Promise<string> {
    const { status } = await owner
      .selectFrom('campaigns')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return status;
  }

  test('a campaign status follows its active touchpoints', async () => {
    const campaign = await buildCampaign(owner, { status: 'running' });
    await buildTouchpoint(owner, { campaign_id: campaign.id, status: 'sent' });
    await buildTouchpoint(owner, { campaign_id: campaign.id, status: 'archived' });
    await buildTouchpoint(owner, { campaign_id: campaign.id, status: 'draft', deleted: true });
    const follow = async () => {
      await inOrganization(db, campaign.organization_id, (trx) => followTouchpoints(trx, campaign.id));
      return await statusOf(campaign.id);
    };
    assert.equal(await follow(), 'completed');
    await owner.updateTable('campaigns').set({ status: 'archived' }).where('id', '=', campaign.id).execute();
    assert.equal(await follow(), 'archived');
  });

  test('concurrent status changes are serialized', async () => {
    const campaign = await buildCampaign(owner, { status: 'running' });
    const touchpoint = await buildTouchpoint(owner, { campaign_id: campaign.id, status: 'sending' });
    const changed = Promise.withResolvers<void>();
    const secondWaits = Promise.withResolvers<void>();
    const first = inOrganization(db, campaign.organization_id, async (trx) => {
      await trx.updateTable('touchpoints').set({ status: 'sent' }).where('id', '=', touchpoint.id).execute();
      await followTouchpoints(trx, campaign.id);
      changed.resolve();
      await secondWaits.promise;
    });
    await changed.promise;
    const second = inOrganization(db, campaign.organization_id, (trx) => followTouchpoints(trx, campaign.id));
    await waitUntilSomebodyWaits(owner);
    secondWaits.resolve();
    await Promise.all([first, second]);
    assert.equal(await statusOf(campaign.id), 'completed');
  });

  test('a campaign of another organization is not found', async () => {
    const [campaign, other] = [await buildCampaign(owner), await buildCampaign(owner)];
    const foreign = inOrganization(db, other.organization_id, (trx) => followTouchpoints(trx, campaign.id));
    await assert.rejects(foreign, { code: 'not_found' });
  });
});
