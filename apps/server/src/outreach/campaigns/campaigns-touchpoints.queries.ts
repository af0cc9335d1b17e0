import { sql, type NotNull, type SelectQueryBuilder } from 'kysely';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { CampaignTouchpoints, campaignsTouchpoints } from '@reachout/contract/campaigns.ts';
import { brandColumns } from '../../clients/brands/brand.ts';
import {
  figureValue,
  isFigureColumn,
  withFigure,
  type FigureParents,
  type FigureScope,
} from '../../clients/figures/figures-sql.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern, ignoringCase, splitOrder } from '../../platform/database/list-page.ts';
import type { DB } from '../../platform/database/types.gen.ts';

const campaignColumns = [
  'campaign_id',
  'campaign_name',
  'campaign_status',
  ...brandColumns,
  'client_id',
  'client_name',
] as const;

/**
 * Campaigns with their matching touchpoints, sorted by name, by a figure, or by the touchpoint that comes first in the
 * order. Pages and count are by campaign: a page break never splits one. Status and type of touchpoints are matched "or
 * null": campaigns without a touchpoint stay visible.
 */
export async function listCampaignTouchpoints(
  trx: Transaction,
  filters: InputOf<typeof campaignsTouchpoints.list>,
  scope: FigureScope,
): Promise<{ items: CampaignGroup[]; count: number }> {
  const { page, page_size, order } = filters;
  const matching = selectMatching(trx, filters);
  const { count } = await matching
    .select((eb) => eb.fn.count<number>('campaign_id').distinct().as('count'))
    .executeTakeFirstOrThrow();

  const { column, direction } = splitOrder(order);
  const figure = isFigureColumn(column) ? column : undefined;
  const byFigure = <O>(query: MatchingQuery<O>, level: 'campaign' | 'touchpoint', parents?: FigureParents) =>
    figure === undefined ? query : query.$call(withFigure(level, figure, scope, `${level}_id`, parents));
  const key =
    figure !== undefined
      ? figureValue
      : column === 'touchpoint_updated_at'
        ? sql.ref(column)
        : ignoringCase(column);
  const campaigns = await byFigure(matching.select(campaignColumns), 'campaign')
    .groupBy(campaignColumns)
    .orderBy(direction === 'asc' ? sql`min(${key})` : sql`max(${key})`, (term) =>
      (direction === 'asc' ? term.asc() : term.desc()).nullsLast(),
    )
    .orderBy(ignoringCase('campaign_name'))
    .orderBy('campaign_id')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  if (campaigns.length === 0) return { items: [], count };

  const ids = campaigns.map(({ campaign_id }) => campaign_id);
  const touchpoints = await byFigure(matching.select(touchpointColumns), 'touchpoint', {
    level: 'campaign',
    ids,
  })
    .where('campaign_id', 'in', ids)
    .where('touchpoint_id', 'is not', null)
    .$narrowType<{
      touchpoint_id: NotNull;
      touchpoint_name: NotNull;
      touchpoint_status: NotNull;
      touchpoint_type: NotNull;
      touchpoint_updated_at: NotNull;
    }>()
    .orderBy(key, direction)
    .orderBy(ignoringCase('touchpoint_name'))
    .orderBy('touchpoint_id')
    .execute();
  const touchpointsOf = Map.groupBy(touchpoints, ({ campaign_id }) => campaign_id);
  const items = campaigns.map((campaign) => ({
    ...campaign,
    touchpoints: (touchpointsOf.get(campaign.campaign_id) ?? []).map(
      ({ campaign_id: _campaign, ...row }) => row,
    ),
  }));
  return { items, count };
}

export interface CampaignGroup extends Omit<CampaignTouchpoints, 'figures' | 'touchpoints'> {
  touchpoints: Omit<CampaignTouchpoints['touchpoints'][number], 'figures'>[];
}

type MatchingQuery<O> = SelectQueryBuilder<DB, 'campaigns_touchpoints', O>;

const touchpointColumns = [
  'campaign_id',
  'touchpoint_id',
  'touchpoint_name',
  'touchpoint_status',
  'touchpoint_type',
  'touchpoint_updated_at',
] as const;

const selectMatching = (
  trx: Transaction,
  {
    client_id,
    campaign_status,
    touchpoint_status,
    touchpoint_type,
    search,
  }: InputOf<typeof campaignsTouchpoints.list>,
) =>
  trx
    .selectFrom('campaigns_touchpoints')
    .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
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
