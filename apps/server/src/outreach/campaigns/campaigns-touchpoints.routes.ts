import { operations } from '../../identity/access/operations.ts';
import { listCampaignTouchpoints } from './campaigns-touchpoints.queries.ts';

export const campaignsTouchpointsRoutes = {
  list: operations.campaignsTouchpoints.list.handler(({ input, context }) =>
    context.transaction((trx) => listCampaignTouchpoints(trx, input)),
  ),
};
