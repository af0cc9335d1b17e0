import { figureOrderScope, readFigures } from '../../clients/figures/figures.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { listCampaignTouchpoints } from './campaigns-touchpoints.queries.ts';

export const campaignsTouchpointsRoutes = {
  list: inTransaction(operations.campaignsTouchpoints.list, async (trx, input, context) => {
    const { items, count } = await listCampaignTouchpoints(
      trx,
      input,
      figureOrderScope(context, input.order),
    );
    const campaignIds = items.map(({ campaign_id }) => campaign_id);
    const touchpointIds = items.flatMap(({ touchpoints }) => touchpoints.map((row) => row.touchpoint_id));
    const ofCampaign = await readFigures(trx, context, 'campaign', campaignIds);
    const ofTouchpoint = await readFigures(trx, context, 'touchpoint', touchpointIds);
    return {
      items: items.map(({ touchpoints, ...campaign }) => ({
        ...campaign,
        figures: ofCampaign(campaign.campaign_id),
        touchpoints: touchpoints.map((row) => ({ ...row, figures: ofTouchpoint(row.touchpoint_id) })),
      })),
      count,
    };
  }),
};
