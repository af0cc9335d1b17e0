import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listCampaignTouchpoints } from './campaigns-touchpoints.queries.ts';

export const campaignsTouchpointsRoutes = {
  list: inTransaction(operations.campaignsTouchpoints.list, (trx, input) =>
    listCampaignTouchpoints(trx, input),
  ),
};
