import { sql } from 'kysely';
import type { CampaignStatus, TouchpointStatus, TouchpointType } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { ignoringCase, splitOrder, type Paging } from '../../platform/database/list-page.ts';
import type { CampaignTouchpointRow } from './campaign.ts';

interface CampaignTouchpointList extends Paging {
  campaign_id?: string | undefined;
  campaign_status?: CampaignStatus | undefined;
  touchpoint_status?: TouchpointStatus | undefined;
  touchpoint_type?: TouchpointType | undefined;
  search?: string | undefined;
  order: `${'campaign_name' | 'touchpoint_name' | 'touchpoint_updated_at'}.${'asc' | 'desc'}`;
}

/**
 * Touchpoints under their campaigns; a campaign without any is one row with nulls. Status and type of touchpoints are
 * matched "or null": such campaigns stay visible. Rows of a campaign stay together within
 * equal values of the order.
 */
export async function listCampaignTouchpoints(
  trx: Transaction,
  filters: CampaignTouchpointList,
): Promise<{ items: CampaignTouchpointRow[]; count: number }> {
  const { campaign_id, campaign_status, touchpoint_status, touchpoint_type, search } = filters;
  const { page, page_size, order } = filters;
  const matching = trx
    .selectFrom('campaigns_touchpoints')
    .$if(campaign_id !== undefined, (query) => query.where('campaign_id', '=', campaign_id ?? null))
    .$if(campaign_status !== undefined, (query) =>
      query.where('campaign_status', '=', campaign_status ?? null),
    )
    .$if(touchpoint_status !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('touchpoint_status', '=', touchpoint_status ?? null), eb('touchpoint_status', 'is', null)]),
      ),
    )
    .$if(touchpoint_type !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('touchpoint_type', '=', touchpoint_type ?? null), eb('touchpoint_type', 'is', null)]),
      ),
    )
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('campaign_name', 'ilike', containsPattern(search ?? '')),
          eb('touchpoint_name', 'ilike', containsPattern(search ?? '')),
        ]),
      ),
    );
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();

  const { column, direction } = splitOrder(order);
  const key = column === 'touchpoint_updated_at' ? sql.ref(column) : ignoringCase(column);
  const items = await matching
    .select([
      'campaign_id',
      'campaign_name',
      'campaign_status',
      'brand_id',
      'brand_name',
      'client_name',
      'touchpoint_id',
      'touchpoint_name',
      'touchpoint_status',
      'touchpoint_type',
      'touchpoint_updated_at',
    ])
    .$castTo<CampaignTouchpointRow>()
    .orderBy(key, (term) => (direction === 'asc' ? term.asc() : term.desc()).nullsLast())
    .orderBy(ignoringCase('campaign_name'))
    .orderBy('campaign_id')
    .orderBy(ignoringCase('touchpoint_name'))
    .orderBy('touchpoint_id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count };
}
