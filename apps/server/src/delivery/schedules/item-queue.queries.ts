import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import type { QueuedItem } from '@reachout/contract/schedules.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';

/** Lists the items of a touchpoint that are or were sent on a date, the one that comes last first. */
export async function listItems(
  trx: Transaction,
  touchpointId: string,
  { page, page_size }: Paging,
): Promise<{ items: QueuedItem[]; count: number }> {
  const of = trx.selectFrom('touchpoint_collection_items').where('touchpoint_id', '=', touchpointId);
  const rows = await of
    .select([
      'item_id',
      'item_title',
      'send_id',
      'schedule_id',
      'schedule_date',
      'time_zone',
      'send_date',
      'item_status',
      'failed_count',
      'error',
    ])
    .orderBy('schedule_date', 'desc')
    .orderBy('send_id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  const items = rows.map((row) => ({ ...row, error_content: row.error && describeSendError(row.error) }));
  return { items, count: await countRows(of) };
}

/** The planned times of a touchpoint, from one on, that its queue cannot use again. */
export async function listTakenTimes(
  trx: Transaction,
  touchpointId: string,
  from: string,
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('touchpoint_collection_items')
    .select('schedule_date')
    .where('touchpoint_id', '=', touchpointId)
    .where('schedule_date', '>=', from)
    .where('item_status', 'in', ['scheduled', 'sending', 'sent'])
    .execute();
  return new Set(rows.map(({ schedule_date }) => new Date(schedule_date).toISOString()));
}
