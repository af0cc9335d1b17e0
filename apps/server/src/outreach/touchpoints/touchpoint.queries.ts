import { sql, type ExpressionBuilder, type SelectQueryBuilder } from 'kysely';
import type { touchpoints } from '@reachout/contract/touchpoints.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import { liveSendKinds, openSendStatuses } from '@reachout/contract/states/send.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import {
  onFigurePage,
  withFigure,
  type FigureParents,
  type FigureScope,
} from '../../clients/figures/figures-sql.ts';
import { noteChanges, notingUpdates, notingVisibility } from '../../clients/outbox/note-changes.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countRows, splitOrder, type Paging } from '../../platform/database/list-page.ts';
import type { DB } from '../../platform/database/types.gen.ts';
import { restoreRow, softDeleteRow, updateRow } from '../../platform/database/restorable.ts';
import { brandColumns } from '../../clients/brands/brand.ts';
import { beganFrom, isWrittenAfter } from '../channels/email/touchpoint-email.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

const recentCount = 5;

/** The touchpoints of a campaign, or all but the archived ones of a brand, a client or the organization. */
export async function listTouchpoints(
  trx: Transaction,
  { client_id, brand_id, campaign_id, template_id, ...page }: InputOf<typeof touchpoints.list>,
  scope: FigureScope = 'all',
): Promise<{ rows: TouchpointRow[]; count: number }> {
  const matching = <O>(from: SelectQueryBuilder<DB, 'touchpoint_overviews', O>) =>
    from
      .$if(client_id !== undefined, (query) => query.where('client_id', '=', client_id ?? null))
      .$if(brand_id !== undefined, (query) => query.where('brand_id', '=', brand_id ?? null))
      .$if(campaign_id !== undefined, (query) => query.where('campaign_id', '=', campaign_id ?? null))
      .$if(template_id !== undefined, (query) => query.where(beganFrom(template_id ?? '')))
      .$if(campaign_id === undefined, (query) => query.where('status', '<>', 'archived'));
  const count = await countRows(matching(trx.selectFrom('touchpoint_overviews')));
  const rows = await matching(selectTouchpoints(trx))
    .$call(
      isByDate(page) ? onDatePage(page, { campaign_id, brand_id }) : onFigurePage('touchpoint', page, scope),
    )
    .execute();
  return { rows, count };
}

type DatePage = Paging & { order: `date.${'asc' | 'desc'}` };

const isByDate = <Page extends { order: string }>(page: Page): page is Page & DatePage =>
  splitOrder(page.order as 'date.asc').column === 'date';

/** One page by the date of the last send, or, where there is none, of the last change. */
const onDatePage =
  (
    { order, page, page_size }: DatePage,
    { campaign_id, brand_id }: Pick<InputOf<typeof touchpoints.list>, 'campaign_id' | 'brand_id'>,
  ) =>
  <O>(query: SelectQueryBuilder<DB, 'touchpoint_overviews', O>) => {
    const { direction } = splitOrder(order);
    const parents: FigureParents | undefined =
      campaign_id !== undefined
        ? { level: 'campaign', ids: [campaign_id] }
        : brand_id !== undefined
          ? { level: 'brand', ids: [brand_id] }
          : undefined;
    return query
      .$call(withFigure('touchpoint', 'sent_at', 'all', 'id', parents))
      .orderBy(sql`coalesce(to_timestamp(figure.value), updated_at)`, direction)
      .orderBy('id', direction)
      .limit(page_size)
      .offset(page * page_size);
  };

/** The five newest touchpoints, of one client or of all. */
export const listRecentTouchpoints = (trx: Transaction, clientId: string | undefined) =>
  selectTouchpoints(trx)
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(recentCount)
    .execute();

/** @throws 404, also if the touchpoint or one of its parents is deleted */
export const getTouchpoint = (trx: Transaction, id: string): Promise<TouchpointRow> =>
  selectTouchpoints(trx).where('id', '=', id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** With the open send that sends it to its audience. @throws 404 as `getTouchpoint` does */
export const getTouchpointDetails = (trx: Transaction, id: string) =>
  selectTouchpoints(trx)
    .where('id', '=', id)
    .select((eb) => [
      // At most one, found by the index `touchpoint_sends_one_open`, except in a series: then the one that comes or goes next.
      eb
        .selectFrom('touchpoint_sends as send')
        .whereRef('send.organization_id', '=', 'touchpoint_overviews.organization_id')
        .whereRef('send.touchpoint_id', '=', 'touchpoint_overviews.id')
        .where('send.kind', 'in', liveSendKinds)
        .where('send.status', 'in', openSendStatuses)
        .select('send.id')
        .orderBy('send.send_date')
        .limit(1)
        .as('open_send_id'),
      eb.exists(comingOf(eb)).$castTo<boolean>().as('is_planned'),
      eb
        .exists(comingOf(eb).where(isWrittenAfter('coming.confirmed_at')))
        .$castTo<boolean>()
        .as('is_changed'),
    ])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

const comingOf = (eb: ExpressionBuilder<DB, 'touchpoint_overviews'>) =>
  eb
    .selectFrom('coming_sends as coming')
    .select('coming.id')
    .whereRef('coming.organization_id', '=', 'touchpoint_overviews.organization_id')
    .whereRef('coming.touchpoint_id', '=', 'touchpoint_overviews.id')
    .where('coming.schedule_id', 'is not', null);

/** Whether a scheduled send of the touchpoint has not started. */
export async function isPlanned(trx: Transaction, id: string): Promise<boolean> {
  const coming = await trx
    .selectFrom('coming_sends')
    .select('id')
    .where('touchpoint_id', '=', id)
    .where('schedule_id', 'is not', null)
    .limit(1)
    .$call(prepared)
    .executeTakeFirst();
  return coming !== undefined;
}

const selectTouchpoints = (trx: Transaction) =>
  trx
    .selectFrom('touchpoint_overviews')
    .select([
      'id',
      'organization_id',
      'campaign_id',
      'name',
      'type',
      'status',
      'collection',
      'scheduled_date',
      'scheduled_date_tz',
      'error_content',
      'schedules',
      'campaign_name',
      'campaign_status',
      ...brandColumns,
      'client_id',
      'client_name',
      'organization',
      'created_at',
      'updated_at',
    ]);

/**
 * Locks a touchpoint and all its parents until the transaction ends: none of them can be deleted or archived meanwhile.
 * The campaign is locked for an update, since a change of its touchpoints changes it too.
 * @throws 404 unless it exists and is visible
 */
export const lockCurrentTouchpoint = (trx: Transaction, id: string) =>
  trx
    .selectFrom('touchpoints as t')
    .innerJoin('campaigns as c', (on) =>
      on.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .innerJoin('brands as b', (on) =>
      on.onRef('b.organization_id', '=', 'c.organization_id').onRef('b.id', '=', 'c.brand_id'),
    )
    .innerJoin('clients as k', (on) =>
      on.onRef('k.organization_id', '=', 'b.organization_id').onRef('k.id', '=', 'b.client_id'),
    )
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .where('t.id', '=', id)
    .where('t.deleted', '=', false)
    .where('c.deleted', '=', false)
    .where('b.deleted', '=', false)
    .where('k.deleted', '=', false)
    .where('o.deleted', '=', false)
    .select([
      't.organization_id',
      't.campaign_id',
      't.name',
      't.type',
      't.status',
      't.collection',
      'c.brand_id',
      'b.client_id',
    ])
    .forNoKeyUpdate(['t', 'c'])
    .forShare(['b', 'k', 'o'])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** Locks the touchpoint alone, for jobs, which finish their work whatever the state of the parents. */
export const lockTouchpoint = (trx: Transaction, id: string) =>
  trx
    .selectFrom('touchpoints')
    .select(['organization_id', 'campaign_id', 'name', 'type', 'status', 'collection'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);

/** @returns false if there is no such campaign, or it is deleted */
export async function insertTouchpoint(
  trx: Transaction,
  row: { id: string; campaign_id: string; name: string; type: TouchpointType; collection: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await prepared(sql`
    insert into touchpoints (id, organization_id, campaign_id, name, type, collection)
    select ${row.id}::uuid, organization_id, id, ${row.name}, ${row.type}, ${row.collection} from current_campaigns where id = ${row.campaign_id}
  `).execute(trx);
  if (numAffectedRows === 0n) return false;
  await noteChanges(trx, 'reachout_touchpoints', [row.id]);
  return true;
}

export const updateTouchpoint = notingUpdates('reachout_touchpoints', updateRow('touchpoints'));
export const deleteTouchpoint = notingVisibility(
  'reachout_touchpoints',
  softDeleteRow('touchpoints', 'current_touchpoints'),
);
export const undeleteTouchpoint = notingVisibility('reachout_touchpoints', restoreRow('touchpoints'));

/** Also of a deleted touchpoint. */
export async function getCampaignId(trx: Transaction, id: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('touchpoints')
    .select('campaign_id')
    .where('id', '=', id)
    .$call(prepared)
    .executeTakeFirst();
  return row?.campaign_id;
}

export async function getBrandId(trx: Transaction, id: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('current_touchpoints')
    .select('brand_id')
    .where('id', '=', id)
    .$call(prepared)
    .executeTakeFirst();
  return row?.brand_id ?? undefined;
}

/** Whether an email was sent to its audience: a send that ended before its first message does not count. */
export async function hasBeenSent(trx: Transaction, id: string): Promise<boolean> {
  const send = await trx
    .selectFrom('touchpoint_sends')
    .select('id')
    .where('touchpoint_id', '=', id)
    .where('kind', '=', 'campaign')
    .where((eb) => eb.or([eb('status', '=', 'completed'), eb('recipients_accepted_count', '>', 0)]))
    .limit(1)
    .$call(prepared)
    .executeTakeFirst();
  return send !== undefined;
}

export const listNames = (trx: Transaction, ids: readonly string[]) =>
  trx
    .selectFrom('current_touchpoints')
    .select(['id', 'name'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
