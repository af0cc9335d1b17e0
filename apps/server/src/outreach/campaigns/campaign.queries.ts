import { sql, type SelectQueryBuilder } from 'kysely';
import type { campaigns } from '@reachout/contract/campaigns.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import type { CampaignStatus } from '@reachout/contract/states/campaign.ts';
import { onFigurePage, type FigureScope } from '../../clients/figures/figures-sql.ts';
import { noteChanges, notingUpdates, notingVisibility } from '../../clients/outbox/note-changes.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { containsPattern, countRows, pageSizeOf } from '../../platform/database/list-page.ts';
import type { DB } from '../../platform/database/types.gen.ts';
import { restoreRow, softDeleteRow, updateRow } from '../../platform/database/restorable.ts';
import { brandColumns } from '../../clients/brands/brand.ts';
import type { CampaignRow } from './campaign.ts';

const recentCount = 5;
const searchPageSize = 100;

export async function listCampaigns(
  trx: Transaction,
  { client_id, brand_id, status, ...page }: InputOf<typeof campaigns.list>,
  scope: FigureScope = 'all',
): Promise<{ rows: CampaignRow[]; count: number }> {
  const { search } = page;
  const matching = <O>(from: SelectQueryBuilder<DB, 'campaign_overviews', O>) =>
    from
      .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
      .$if(brand_id !== undefined, (query) => query.where('brand_id', '=', brand_id ?? null))
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? null))
      .$if(search !== undefined, (query) => query.where('name', 'ilike', containsPattern(search ?? '')));
  const count = await countRows(matching(trx.selectFrom('campaign_overviews')));
  // PostgreSQL counts touchpoints after it has limited the rows to the page, and reads the page in the order of an
  // index. Selecting the ids of the page first took twice as long: most of the time is planning, and everything was
  // planned twice.
  const rows = await matching(selectCampaigns(trx))
    .$call(onFigurePage('campaign', { ...page, page_size: pageSizeOf(page, searchPageSize) }, scope))
    .execute();
  return { rows, count };
}

/** The five most recently changed campaigns, of one client or of all. */
export const listRecentCampaigns = (trx: Transaction, clientId: string | undefined): Promise<CampaignRow[]> =>
  selectCampaigns(trx)
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? null))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(recentCount)
    .execute();

/** @throws 404, also if the campaign, its brand or its client is deleted */
export const getCampaign = (trx: Transaction, id: string): Promise<CampaignRow> =>
  selectCampaigns(trx).where('id', '=', id).$call(prepared).executeTakeFirstOrThrow(notFound);

const selectCampaigns = (trx: Transaction) =>
  trx
    .selectFrom('campaign_overviews')
    .select([
      'id',
      'organization_id',
      'name',
      'status',
      'scheduled_date',
      'scheduled_date_tz',
      'error_content',
      ...brandColumns,
      'client_id',
      'client_name',
      'created_at',
      'updated_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('touchpoints as t')
        .whereRef('t.organization_id', '=', 'campaign_overviews.organization_id')
        .whereRef('t.campaign_id', '=', 'campaign_overviews.id')
        .where('t.deleted', '=', false)
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('touchpoint_count'),
    );

const selectLocked = (trx: Transaction, id: string) =>
  trx.selectFrom('campaigns').select('status').where('id', '=', id).forNoKeyUpdate();

/** Locks a campaign until the transaction ends. @throws 404 unless it exists and is visible */
export const lockCurrentCampaign = (trx: Transaction, id: string): Promise<{ status: CampaignStatus }> =>
  selectLocked(trx, id)
    .where('deleted', '=', false)
    .where((eb) => eb.exists(eb.selectFrom('current_campaigns').select('id').where('id', '=', id)))
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** Like `lockCurrentCampaign`, for jobs, which finish their work even on a deleted campaign. */
export const lockCampaign = (trx: Transaction, id: string): Promise<{ status: CampaignStatus }> =>
  selectLocked(trx, id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** @returns false if there is no such brand, or it is deleted */
export async function insertCampaign(
  trx: Transaction,
  row: { id: string; brand_id: string; name: string },
): Promise<boolean> {
  const { numAffectedRows } = await prepared(sql`
    insert into campaigns (id, organization_id, brand_id, name)
    select ${row.id}::uuid, organization_id, id, ${row.name} from current_brands where id = ${row.brand_id}
  `).execute(trx);
  if (numAffectedRows === 0n) return false;
  await noteChanges(trx, 'reachout_campaigns', [row.id]);
  return true;
}

export const updateCampaign = notingUpdates('reachout_campaigns', updateRow('campaigns'));
export const deleteCampaign = notingVisibility(
  'reachout_campaigns',
  softDeleteRow('campaigns', 'current_campaigns'),
);
export const restoreCampaign = notingVisibility('reachout_campaigns', restoreRow('campaigns'));

/** Types and statuses of the touchpoints of a campaign that are not deleted. */
export const listTouchpointStatuses = (trx: Transaction, campaignId: string) =>
  trx
    .selectFrom('touchpoints')
    .select(['type', 'status'])
    .where('campaign_id', '=', campaignId)
    .where('deleted', '=', false)
    .$call(prepared)
    .execute();
