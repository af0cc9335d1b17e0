import { comingSendStatuses } from '@reachout/contract/states/send.ts';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { sql, type NotNull, type RawBuilder } from 'kysely';
import { brandColumns } from '../../clients/brands/brand.ts';
import type { RowOf, Transaction } from '../../platform/database/database.ts';

export interface CalendarQuery {
  client_id?: string | undefined;
  brand_id?: string | undefined;
  campaign_id?: string | undefined;
  from: string;
  to: string;
}

/** `send_id` and status are those of its send, or say that it has none yet. */
export type CalendarRow = Omit<RowOf<typeof select>, 'send_id' | 'status'> &
  Pick<Occurrence, 'send_id' | 'status'>;

/**
 * Sends of a period but tests and single messages, in order of time. Those that were cancelled before they started are left
 * out: nothing is sent on their date, and what was moved or skipped would be shown twice.
 */
export const listSendsOfPeriod = (trx: Transaction, { from, to, ...below }: CalendarQuery, limit: number) =>
  select(trx, below)
    .where(plannedAt, '>=', from)
    .where(plannedAt, '<', to)
    .where(sql<boolean>`(s.status <> 'cancelled' or s.audience_breakdown is not null)`)
    .orderBy(plannedAt)
    .orderBy('s.id')
    .limit(limit)
    .execute();

/** The coming sends of all schedules that may have more occurrences before a moment. */
export const listRepeating = (
  trx: Transaction,
  { to, from: _from, ...below }: CalendarQuery,
  limit: number,
) =>
  select(trx, below)
    .select('p.start_date')
    .where('s.status', 'in', [...comingSendStatuses])
    .where('p.rrule', 'is not', null)
    .$narrowType<{ start_date: NotNull }>()
    .where('s.send_date', '<', to)
    .orderBy('s.send_date')
    .orderBy('s.id')
    .limit(limit)
    .execute();

const select = (trx: Transaction, { client_id, brand_id, campaign_id }: Omit<CalendarQuery, 'from' | 'to'>) =>
  trx
    .selectFrom('counted_sends as s')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .leftJoin('touchpoint_schedules as p', (on) =>
      on.onRef('p.organization_id', '=', 's.organization_id').onRef('p.id', '=', 's.schedule_id'),
    )
    .where('s.kind', 'in', ['campaign', 'follow_up'])
    .$if(client_id !== undefined, (query) => query.where('t.client_id', '=', client_id ?? null))
    .$if(brand_id !== undefined, (query) => query.where('t.brand_id', '=', brand_id ?? null))
    .$if(campaign_id !== undefined, (query) => query.where('t.campaign_id', '=', campaign_id ?? null))
    .select([
      plannedAt.as('at'),
      'p.time_zone',
      's.schedule_id',
      'p.rrule',
      's.id as send_id',
      's.status',
      recipients.as('recipients'),
      's.recipients_total_sent_count as sent',
      't.id as touchpoint_id',
      't.name as touchpoint_name',
      't.type as touchpoint_type',
      't.campaign_id',
      't.campaign_name',
      ...brandColumns.map((column) => `t.${column}` as const),
    ]);

/** A send in the time zones of contacts starts before its planned time. */
const plannedAt: RawBuilder<string> = sql`greatest(s.send_date, s.occurrence_at)`;

const recipients: RawBuilder<number> = sql`
  case when s.audience_breakdown is null then s.recipients_confirmed_count else s.recipients_total_count end`;
