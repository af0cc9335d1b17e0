import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { sql, type RawBuilder } from 'kysely';
import { deliveringSendStatus, type SendStatus } from '@reachout/contract/states/send.ts';
import { domainOfAddress } from '../email/addresses/address.ts';
import { wellKnownDomains } from '../email/recipient-groups/recipient-group.ts';
import { execute, firstRowOf, onlyRowOf, type Transaction } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import { notFound } from '../platform/http/api-error.ts';

/** A send of single messages. */
export interface OpenTriggeredSend {
  id: string;
  /** Who confirmed it; null once the account was erased. */
  user_created: string | null;
  /** Messages that are unsent or in progress. */
  waiting: number;
  /** Fields that its template reads; null: any field. */
  contact_fields: string[] | null;
}

/**
 * @param lock  locks the send until the transaction ends
 * @param statuses  of the send
 * @returns undefined if the email does not accept messages now
 */
export const findTriggeredSend = (
  trx: Transaction,
  touchpointId: string,
  lock?: 'lock',
  statuses: readonly SendStatus[] = [deliveringSendStatus],
) => firstRowOf<OpenTriggeredSend>(trx)`
  select s.id, s.user_created, s.recipients_total_count - s.recipients_total_sent_count - s.recipients_total_delivery_failed_count
      - s.recipients_total_failed_count - s.recipients_suppressed_count - s.recipients_skipped_count
      - s.recipients_cancelled_count - s.recipients_uncertain_count as waiting,
    c.content -> 'contact_fields' as contact_fields
  from touchpoint_sends s
  join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
  where s.organization_id = current_organization_id() and s.touchpoint_id = ${touchpointId} and s.kind = 'triggered'
    and s.status = any(${statuses}::text[])
  ${lock === undefined ? sql`` : sql`for no key update of s`}
`;

/** What decides who may get the messages of a send. */
export const getSendParts = (trx: Transaction, sendId: string) => onlyRowOf<{
  brand_id: string;
  topic_id: string | null;
}>(trx)`
  select brand_id, topic_id from touchpoint_sends where organization_id = current_organization_id() and id = ${sendId}
`;

export interface NewMessage {
  id: string;
  organizationId: string;
  sendId: string;
  contactId: string;
  /** Result of `parseAddress`. */
  address: string;
  variables: Record<string, unknown>;
  /** Whether its contact is marked as unsubscribed: the message is then suppressed. */
  isUnsubscribed: boolean;
}

/**
 * Adds a message to a send: its delivery, its queue entry and its id. The send counts one more recipient and is due now. If
 * it was due already, it keeps that time, because a send that is due for a day without a worker is left to a user. A send
 * that waits after a failure keeps waiting.
 */
export const insertMessage = (
  trx: Transaction,
  { id, organizationId, sendId, contactId, address, variables, isUnsubscribed }: NewMessage,
) => execute(trx)`
  with counted as (
    update touchpoint_sends
    set recipients_total_count = recipients_total_count + 1,
      next_due_at = case when failure_count = 0 then least(next_due_at, now()) else coalesce(next_due_at, now()) end
    where organization_id = ${organizationId} and id = ${sendId}
    returning organization_id, id as send_id, brand_id, recipients_total_count as seq
  ), delivery as (
    insert into deliveries (organization_id, send_id, seq, contact_id, address, variables, tracked)
    select s.organization_id, s.send_id, s.seq, ${contactId}, ${address}, ${JSON.stringify(variables)}::jsonb,
      is_tracked(b.tracking_policy, c.is_allowed, null)
    from counted s
    join tracking_policies b on b.organization_id = s.organization_id and b.brand_id = s.brand_id
    left join tracking_records c on c.organization_id = s.organization_id and c.brand_id = s.brand_id
      and c.address_key = lower(${address})
  ), queued as (
    insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, due_at)
    select organization_id, send_id, seq, ${laneOf(address)}, 'new', 0, now() from counted
  )
  insert into messages (organization_id, id, send_id, seq, contact_id, is_unsubscribed)
  select organization_id, ${id}::uuid, send_id, seq, ${contactId}, ${isUnsubscribed} from counted
`;

/** Uses the stored group of the domain; a message does not wait for DNS. */
function laneOf(address: string): RawBuilder<RecipientGroup> {
  const domain = domainOfAddress(address);
  const group = wellKnownDomains.get(domain);
  return group === undefined
    ? sql`coalesce((select recipient_group from recipient_domains where domain = ${domain}), 'other')`
    : sql`${group}`;
}

/** @throws 404, also if the touchpoint or one of its parents is deleted */
export const getMessage = (trx: Transaction, id: string) =>
  trx
    .selectFrom('messages as m')
    .innerJoin('touchpoint_sends as s', (on) =>
      on.onRef('s.organization_id', '=', 'm.organization_id').onRef('s.id', '=', 'm.send_id'),
    )
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .where('m.id', '=', id)
    .select([
      'm.id',
      'm.organization_id',
      's.touchpoint_id',
      'm.send_id',
      'm.seq',
      sql<boolean>`s.kind = 'test'`.as('is_test'),
      'm.created_at',
    ])
    .$call(prepared)
    .executeTakeFirstOrThrow(notFound);
