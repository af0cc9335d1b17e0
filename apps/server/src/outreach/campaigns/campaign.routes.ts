import { figureOrderScope, withFigures } from '../../clients/figures/figures.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { toCampaign } from './campaign.ts';
import { deleteCampaign, getCampaign, listCampaigns, restoreCampaign } from './campaign.queries.ts';
import { recentCampaigns } from './recent-campaigns.ts';
import { changeCampaign, unarchiveCampaign } from './change-campaign.ts';
import { createCampaign } from './create-campaign.ts';

export const campaignRoutes = {
  list: inTransaction(operations.campaigns.list, async (trx, input, context) => {
    const { rows, count } = await listCampaigns(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'campaign', rows.map(toCampaign)), count };
  }),
  recent: inTransaction(operations.campaigns.recent, (trx, input, context) =>
    recentCampaigns(trx, context, input.client_id),
  ),
  create: inTransaction(operations.campaigns.create, async (trx, input) =>
    toCampaign(await createCampaign(trx, input)),
  ),
  get: inTransaction(operations.campaigns.get, async (trx, input) =>
    toCampaign(await getCampaign(trx, input.id)),
  ),
  update: inTransaction(operations.campaigns.update, async (trx, { id, ...changes }) => {
    await changeCampaign(trx, id, changes);
    return toCampaign(await getCampaign(trx, id));
  }),
  unarchive: inTransaction(operations.campaigns.unarchive, async (trx, input) => {
    await unarchiveCampaign(trx, input.id);
    return toCampaign(await getCampaign(trx, input.id));
  }),
  delete: inTransaction(operations.campaigns.delete, async (trx, input, context) => {
    context.note({ record_name: (await deleteCampaign(trx, input.id)).name });
    await denyWhileSending(trx, 'campaigns', input.id);
    return { id: input.id };
  }),
  restore: inTransaction(operations.campaigns.restore, async (trx, input) => {
    await restoreCampaign(trx, input.id);
    return toCampaign(await getCampaign(trx, input.id));
  }),
};
