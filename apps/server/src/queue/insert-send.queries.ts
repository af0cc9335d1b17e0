import type { SendKind, SendStatus } from '@reachout/contract/states/send.ts';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Audience } from '../contacts/audiences/audience.ts';
import type { EmailSnapshot } from '../email/email-content.ts';
import { rowsOf, type Transaction } from '../platform/database/database.ts';
import { toDue } from './send.queries.ts';

export interface NewSend {
  id: string;
  organization_id: string;
  touchpoint_id: string;
  brand_id: string;
  /** The content item that is merged into its email. */
  item_id: string | null;
  /** The topic of its email. */
  topic_id: string | null;
  kind: SendKind;
  /** `sending` for a send of single messages: it has no audience to prepare. */
  status: SendStatus;
  /** ISO 8601, or milliseconds from now. */
  startAt: string | number;
  schedule_id?: string;
  /** The planned time of an occurrence of a schedule. */
  occurrence_at?: string;
  in_series?: boolean;
  uncertain_policy: UncertainPolicy;
  recipients_confirmed_count: number;
  user_created: string;
}

/** What a send keeps of its email, whatever changes later. */
export interface NewSendContent {
  content: EmailSnapshot;
  /** Null for single messages. */
  audience: { rule: Audience; name: string } | null;
}

export async function insertSend(
  trx: Transaction,
  { startAt, ...row }: NewSend,
  { content, audience }: NewSendContent,
): Promise<void> {
  const due = toDue(startAt);
  await trx
    .insertInto('touchpoint_sends')
    .values({
      ...row,
      send_date: due,
      next_due_at: due,
    })
    .execute();
  await trx
    .insertInto('touchpoint_send_contents')
    .values({
      organization_id: row.organization_id,
      send_id: row.id,
      content: JSON.stringify(content),
      audience: audience && JSON.stringify(audience.rule),
      audience_name: audience && audience.name,
    })
    .execute();
}

/**
 * @returns whether the send has a follow-up; one that failed, or was cancelled before it started, sent nothing and does not
 * count (`touchpoint_sends_one_follow_up`)
 */
export async function isFollowedUp(trx: Transaction, parentId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('touchpoint_sends')
    .select('id')
    .where('parent_send_id', '=', parentId)
    .where('status', '<>', 'failed')
    .where((eb) => eb.or([eb('status', '<>', 'cancelled'), eb('recipients_total_count', '>', 0)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns the number of failed deliveries of the parent; if it is 0, no follow-up is inserted */
export async function insertFollowUp(
  trx: Transaction,
  row: { id: string; parent_send_id: string; delayMs: number; user_created: string },
): Promise<number> {
  const rows = await rowsOf<{ count: number }>(trx)`
    with parent as (
      select * from touchpoint_sends
      where id = ${row.parent_send_id} and organization_id = current_organization_id() and recipients_total_failed_count > 0
    ), created as (
      insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, item_id, topic_id, kind, parent_send_id, send_date, next_due_at,
        uncertain_policy, recipients_confirmed_count, user_created)
      select organization_id, ${row.id}::uuid, touchpoint_id, brand_id, item_id, topic_id, 'follow_up', id, ${toDue(row.delayMs)}, ${toDue(row.delayMs)},
        uncertain_policy, recipients_total_failed_count, ${row.user_created}::uuid
      from parent
    )
    insert into touchpoint_send_contents (organization_id, send_id, content, audience, audience_name)
    select c.organization_id, ${row.id}::uuid, c.content, c.audience, c.audience_name
    from parent p
    join touchpoint_send_contents c on c.organization_id = p.organization_id and c.send_id = p.id
    returning (select recipients_total_failed_count from parent) as count
  `;
  return rows[0]?.count ?? 0;
}
