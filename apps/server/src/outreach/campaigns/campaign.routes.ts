import { operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { toCampaign } from './campaign.ts';
import {
  deleteCampaign,
  getCampaign,
  insertCampaign,
  listCampaigns,
  listRecentCampaigns,
  restoreCampaign,
} from './campaign.queries.ts';
import { changeCampaign } from './change-campaign.ts';

export const campaignRoutes = {
  list: operations.campaigns.list.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const { rows, count } = await listCampaigns(trx, input);
      return { items: rows.map(toCampaign), count };
    }),
  ),
  recent: operations.campaigns.recent.handler(({ context }) =>
    context.transaction(async (trx) => (await listRecentCampaigns(trx)).map(toCampaign)),
  ),
  create: operations.campaigns.create.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const id = newId();
      if (!(await insertCampaign(trx, { id, brand_id: input.brand_id, name: input.name }))) {
        throw invalidInput('brand_id', 'There is no such brand.');
      }
      return toCampaign(await getCampaign(trx, id));
    }),
  ),
  get: operations.campaigns.get.handler(({ input, context }) =>
    context.transaction(async (trx) => toCampaign(await getCampaign(trx, input.id))),
  ),
  update: operations.campaigns.update.handler(({ input: { id, ...changes }, context }) =>
    context.transaction(async (trx) => {
      await changeCampaign(trx, id, changes);
      return toCampaign(await getCampaign(trx, id));
    }),
  ),
  delete: operations.campaigns.delete.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      context.note({ record_name: await deleteCampaign(trx, input.id) });
      await denyWhileSending(trx, 'campaigns', input.id);
      return { id: input.id };
    }),
  ),
  restore: operations.campaigns.restore.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      await restoreCampaign(trx, input.id);
      return toCampaign(await getCampaign(trx, input.id));
    }),
  ),
};
