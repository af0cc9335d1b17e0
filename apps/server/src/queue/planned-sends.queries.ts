import { comingSendStatuses, openSendStatuses, type SendStatus } from '@reachout/contract/states/send.ts';
import { sql } from 'kysely';
import type { Transaction } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { NewSend, NewSendContent } from './insert-send.queries.ts';

/** Statuses of the open sends of a touchpoint's series. */
export async function listSeriesStatuses(trx: Transaction, touchpointId: string): Promise<SendStatus[]> {
  const rows = await trx
    .selectFrom('touchpoint_sends')
    .select('status')
    .distinct()
    .where('touchpoint_id', '=', touchpointId)
    .where('in_series', '=', true)
    .where('status', 'in', openSendStatuses)
    .$call(prepared)
    .execute();
  return rows.map(({ status }) => status);
}

/**
 * The planned times at which a touchpoint is or was sent with a content item, as ISO 8601. It is sent once at each of them,
 * whichever schedule plans it (`touchpoint_sends_one_occurrence`).
 * @param except  a send that does not count
 */
export async function listPlannedTimes(
  trx: Transaction,
  { touchpoint_id, item_id }: { touchpoint_id: string; item_id: string | null },
  except?: string,
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('touchpoint_sends')
    .select('occurrence_at')
    .where('touchpoint_id', '=', touchpoint_id)
    .where(sql`coalesce(item_id, '')`, '=', item_id ?? '')
    .where('occurrence_at', 'is not', null)
    .where('status', '<>', 'failed')
    .where((eb) => eb.or([eb('status', '<>', 'cancelled'), eb('recipients_total_count', '>', 0)]))
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .$call(prepared)
    .execute();
  return new Set(rows.map(({ occurrence_at }) => new Date(occurrence_at ?? 0).toISOString()));
}

/**
 * Copies what was confirmed with an occurrence to the send of the next one, which is queued, unless another one is to come. The
 * caller has locked the touchpoint.
 */
export async function insertNextSend(
  trx: Transaction,
  from: string,
  { id, at, startAt }: { id: string; at: string; startAt: string },
): Promise<void> {
  await prepared(sql`
    with created as (
      insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, item_id, topic_id, kind, schedule_id, occurrence_at,
        in_series, send_date, next_due_at, uncertain_policy, recipients_confirmed_count, user_created)
      select organization_id, ${id}::uuid, touchpoint_id, brand_id, item_id, topic_id, kind, schedule_id, ${at}, in_series, ${startAt},
        ${startAt}, uncertain_policy, recipients_confirmed_count, user_created
      from touchpoint_sends s
      where id = ${from} and organization_id = current_organization_id()
        and not exists (
          select from touchpoint_sends other
          where other.organization_id = s.organization_id and other.schedule_id = s.schedule_id and other.id <> s.id
            and other.status in (${sql.join(comingSendStatuses)}))
      returning organization_id, id
    )
    insert into touchpoint_send_contents (organization_id, send_id, content, audience, audience_name, confirmed_at)
    select created.organization_id, created.id, content, audience, audience_name, confirmed_at
    from created
    join touchpoint_send_contents c on c.organization_id = created.organization_id and c.send_id = ${from}
  `).execute(trx);
}

/** Replaces what was confirmed with a send that has not started. */
export async function replaceConfirmed(
  trx: Transaction,
  sendId: string,
  row: Pick<NewSend, 'item_id' | 'topic_id' | 'recipients_confirmed_count' | 'user_created'>,
  { content, audience }: NewSendContent,
): Promise<void> {
  await trx
    .updateTable('touchpoint_sends')
    .set({ ...row, updated_at: sql`now()` })
    .where('id', '=', sendId)
    .execute();
  await trx
    .updateTable('touchpoint_send_contents')
    .set({
      content: JSON.stringify(content),
      audience: audience && JSON.stringify(audience.rule),
      audience_name: audience && audience.name,
      confirmed_at: sql`now()`,
    })
    .where('send_id', '=', sendId)
    .execute();
}

/** All emails of a brand from addresses at one domain. */
interface SenderOfBrand {
  brandId: string;
  /** In lower case. */
  domain: string;
}

/** Open sends to an audience below a record, in the order of their locks. */
export async function listOpenSends(
  trx: Transaction,
  below: { campaignId: string } | { touchpointId: string } | { scheduleId: string } | SenderOfBrand,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .select('s.id')
    .where('s.status', 'in', openSendStatuses)
    .where('s.kind', '<>', 'test')
    .$if('campaignId' in below, (query) => query.where('t.campaign_id', '=', idOf(below)))
    .$if('touchpointId' in below, (query) => query.where('t.id', '=', idOf(below)))
    .$if('scheduleId' in below, (query) => query.where('s.schedule_id', '=', idOf(below)))
    .$if('brandId' in below, (query) =>
      query
        .innerJoin('touchpoint_send_contents as c', (on) =>
          on.onRef('c.organization_id', '=', 's.organization_id').onRef('c.send_id', '=', 's.id'),
        )
        .where('s.brand_id', '=', idOf(below))
        .where(sql`sender_domain(c.content)`, '=', (below as SenderOfBrand).domain),
    )
    .orderBy('s.id')
    .$call(prepared)
    .execute();
  return rows.map(({ id }) => id);
}

const idOf = (below: object): string => Object.values(below)[0] as string;
