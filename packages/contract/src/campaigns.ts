import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperation } from './operation.ts';
import { campaignStatuses } from './states/campaign.ts';
import { touchpointStatuses, touchpointTypes } from './states/touchpoint.ts';
import { deleted, id, timestamp, list, name, order, pageSize, paging, search } from './values.ts';

export const Campaign = z.object({
  id,
  organization_id: id,
  brand_id: id,
  name: z.string(),
  status: z.enum(campaignStatuses),
  error_content: z.string().nullable(),
  brand: z.object({
    id,
    name: z.string(),
    logo_url: z.string().nullable(),
    client: z.object({ id, name: z.string() }),
  }),
  touchpoint_count: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Campaign = z.infer<typeof Campaign>;

/** A campaign with its touchpoints. */
export const CampaignTouchpoints = z.object({
  campaign_id: id,
  campaign_name: z.string(),
  campaign_status: z.enum(campaignStatuses),
  brand_id: id,
  brand_name: z.string(),
  client_name: z.string(),
  touchpoints: z.array(
    z.object({
      touchpoint_id: id,
      touchpoint_name: z.string(),
      touchpoint_status: z.enum(touchpointStatuses),
      touchpoint_type: z.enum(touchpointTypes),
      touchpoint_updated_at: timestamp,
    }),
  ),
});
export type CampaignTouchpoints = z.infer<typeof CampaignTouchpoints>;

const tag = 'Campaigns';
const one = { tag, tenant: 'campaigns' } as const;
const many = { tag, tenant: 'organization_id' } as const;

export const campaigns = {
  list: memberOperation({
    method: 'GET',
    path: '/campaigns',
    summary: 'Campaigns',
    permission: ['read', 'Campaign'],
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        brand_id: id.optional(),
        status: z.enum(campaignStatuses).optional(),
        search,
        order: order(['name', 'status', 'created_at', 'updated_at'], 'updated_at.desc'),
        ...paging(10),
        /** 100 for a search, 10 without. */
        page_size: pageSize.optional(),
      }),
    )
    .output(list(Campaign)),
  recent: memberOperation({
    method: 'GET',
    path: '/campaigns/recent',
    summary: 'The five most recently updated campaigns',
    permission: ['read', 'Campaign'],
    ...many,
  })
    .input(z.strictObject({ organization_id: id }))
    .output(z.array(Campaign)),
  create: memberOperation({
    method: 'POST',
    path: '/campaigns',
    summary: 'Create a campaign of a brand',
    permission: ['create', 'Campaign'],
    ...many,
  })
    .input(z.strictObject({ organization_id: id, brand_id: id, name }))
    .output(Campaign),
  get: memberOperation({
    method: 'GET',
    path: '/campaigns/{id}',
    summary: 'One campaign',
    permission: ['read', 'Campaign'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Campaign),
  update: memberOperation({
    method: 'PATCH',
    path: '/campaigns/{id}',
    summary: 'Rename, archive or reopen a campaign',
    permission: ['update', 'Campaign'],
    ...one,
  })
    .input(z.strictObject({ id, name: name.optional(), status: z.enum(['draft', 'archived']).optional() }))
    .errors({
      invalid_transition: {
        ...apiErrors.invalid_transition,
        data: z.object({ from: z.string(), to: z.string() }),
      },
      send_in_progress: apiErrors.send_in_progress,
    })
    .output(Campaign),
  delete: memberOperation({
    method: 'DELETE',
    path: '/campaigns/{id}',
    summary: 'Delete a campaign',
    permission: ['delete', 'Campaign'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .errors({
      send_in_progress: apiErrors.send_in_progress,
    })
    .output(deleted),
  restore: memberOperation({
    method: 'POST',
    path: '/campaigns/{id}/restore',
    summary: 'Undo the deletion of a campaign',
    permission: ['delete', 'Campaign'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Campaign),
};

export const campaignsTouchpoints = {
  list: memberOperation({
    method: 'GET',
    path: '/campaigns_touchpoints',
    summary: 'Touchpoints under their campaigns',
    permission: ['read', 'Touchpoint'],
    additionalPermissions: [['read', 'Campaign']],
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        campaign_status: z.enum(campaignStatuses).optional(),
        touchpoint_status: z.enum(touchpointStatuses).optional(),
        touchpoint_type: z.enum(touchpointTypes).optional(),
        search,
        order: order(['campaign_name', 'touchpoint_name', 'touchpoint_updated_at'], 'campaign_name.asc'),
        ...paging(100),
      }),
    )
    .output(list(CampaignTouchpoints)),
};
