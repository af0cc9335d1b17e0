import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { pickErrors } from './errors.ts';
import { listedFigures } from './figures.ts';
import { quotaErrors } from './organizations.ts';
import { figureColumns } from './rules/figure-columns.ts';
import { invalidTransition, memberOperations, tooManyRecords } from './operation.ts';
import { brandColors } from './rules/brand-colors.ts';
import { campaignStatuses } from './states/campaign.ts';
import { touchpointStatuses, touchpointTypes } from './states/touchpoint.ts';
import { deleted, id, timestamp, list, name, order, paging, search, searchPaging } from './values.ts';

export const Campaign = z.object({
  id,
  organization_id: id,
  brand_id: id,
  name: z.string(),
  status: z.enum(campaignStatuses),
  /** When the next send of its touchpoints starts; null if none is to come. */
  scheduled_date: timestamp.nullable(),
  scheduled_date_tz: z.string().nullable(),
  error_content: z.string().nullable(),
  brand: BrandSummary.extend({ client: z.object({ id, name: z.string() }) }),
  touchpoint_count: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Campaign = z.infer<typeof Campaign>;

export const ListedCampaign = Campaign.extend(listedFigures);
export type ListedCampaign = z.infer<typeof ListedCampaign>;

export const CampaignTouchpoints = z.object({
  campaign_id: id,
  campaign_name: z.string(),
  campaign_status: z.enum(campaignStatuses),
  brand_id: id,
  brand_name: z.string(),
  brand_logo_url: z.string().nullable(),
  brand_dark_logo_url: z.string().nullable(),
  brand_color: z.enum(brandColors),
  client_id: id,
  client_name: z.string(),
  ...listedFigures,
  touchpoints: z.array(
    z.object({
      touchpoint_id: id,
      touchpoint_name: z.string(),
      touchpoint_status: z.enum(touchpointStatuses),
      touchpoint_type: z.enum(touchpointTypes),
      touchpoint_updated_at: timestamp,
      ...listedFigures,
    }),
  ),
});
export type CampaignTouchpoints = z.infer<typeof CampaignTouchpoints>;

const inOrganization = memberOperations('Campaigns', 'organization_id');
const onCampaign = memberOperations('Campaigns', 'campaigns');

export const campaigns = {
  list: inOrganization('GET /campaigns', 'Campaigns', 'read Campaign')
    .input({
      client_id: id.optional(),
      brand_id: id.optional(),
      status: z.enum(campaignStatuses).optional(),
      search,
      order: order(['name', 'status', 'created_at', 'updated_at', ...figureColumns], 'updated_at.desc'),
      /** Without `page_size`: 100 for a search, 10 otherwise. */
      ...searchPaging,
    })
    .output(list(ListedCampaign)),
  recent: inOrganization('GET /campaigns/recent', 'The five most recently updated campaigns', 'read Campaign')
    .input({ client_id: id.optional() })
    .output(z.array(ListedCampaign)),
  create: inOrganization('POST /campaigns', 'Create a campaign of a brand', 'create Campaign')
    .input({ brand_id: id, name })
    .output(Campaign),
  get: onCampaign('GET /campaigns/{id}', 'One campaign', 'read Campaign').output(Campaign),
  update: onCampaign('PATCH /campaigns/{id}', 'Rename, archive or reopen a campaign', 'update Campaign')
    .input({ name: name.optional(), status: z.enum(['draft', 'archived']).optional() })
    .errors({ ...invalidTransition, ...pickErrors('send_in_progress') })
    .output(Campaign),
  unarchive: onCampaign(
    'POST /campaigns/{id}/unarchive',
    'Take a campaign out of the archive: it is completed where all of it was sent, else a draft',
    'update Campaign',
  ).output(Campaign),
  duplicate: onCampaign(
    'POST /campaigns/{id}/duplicate',
    'Copy a campaign and its touchpoints as drafts, without sends and results',
    'create Campaign',
    { additionalPermissions: ['read Campaign', 'create Touchpoint', 'read Touchpoint'] },
  )
    .input({ name })
    // Limits its touchpoints; archived ones are not copied.
    .errors({ ...tooManyRecords, ...quotaErrors })
    .output(Campaign),
  delete: onCampaign('DELETE /campaigns/{id}', 'Delete a campaign', 'delete Campaign')
    .errors(pickErrors('send_in_progress'))
    .output(deleted),
  restore: onCampaign(
    'POST /campaigns/{id}/restore',
    'Undo the deletion of a campaign',
    'delete Campaign',
  ).output(Campaign),
};

export const campaignsTouchpoints = {
  list: inOrganization('GET /campaigns_touchpoints', 'Touchpoints under their campaigns', 'read Touchpoint', {
    additionalPermissions: ['read Campaign'],
  })
    .input({
      client_id: id.optional(),
      campaign_status: z.enum(campaignStatuses).optional(),
      touchpoint_status: z.enum(touchpointStatuses).optional(),
      touchpoint_type: z.enum(touchpointTypes).optional(),
      search,
      order: order(
        ['campaign_name', 'touchpoint_name', 'touchpoint_updated_at', ...figureColumns],
        'campaign_name.asc',
      ),
      ...paging(100),
    })
    .output(list(CampaignTouchpoints)),
};
