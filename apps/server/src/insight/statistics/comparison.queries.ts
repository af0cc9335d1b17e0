import { sql } from 'kysely';
import { firstRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';

export interface ComparableSend {
  send_id: string;
  touchpoint_id: string;
  touchpoint_name: string;
  campaign_id: string;
  send_date: string;
  /** The subject with unresolved merge tags. */
  subject: string;
  audience: string | null;
  recipients: number;
}

const comparable = sql`
  select s.id as send_id, t.id as touchpoint_id, t.name as touchpoint_name, t.campaign_id, s.send_date, s.brand_id,
    c.content ->> 'subject' as subject, c.audience_name as audience, s.recipients_total_count as recipients
  from touchpoint_sends s
  join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
  join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
  where s.organization_id = current_organization_id() and s.kind = 'campaign' and s.recipients_total_count > 0`;

/** Finds the latest send of an email to its audience. */
export const findComparableSend = (trx: Transaction, touchpointId: string) => firstRowOf<ComparableSend>(trx)`
  ${comparable} and s.touchpoint_id = ${touchpointId}
  order by s.send_date desc, s.id desc
  limit 1
`;

/** Finds the previous send: in the same campaign if there is one, otherwise of the same brand. */
export const findPreviousSend = (
  trx: Transaction,
  { send_id, campaign_id }: ComparableSend,
) => firstRowOf<ComparableSend>(trx)`
  ${beforeIt(send_id)}
  order by (t.campaign_id = ${campaign_id}) desc, s.send_date desc, s.id desc
  limit 1
`;

/** Lists the last sends of the same brand before this one, newest first. */
export const listRecentSends = (
  trx: Transaction,
  { send_id }: ComparableSend,
  limit: number,
) => rowsOf<ComparableSend>(trx)`
  ${beforeIt(send_id)}
  order by s.send_date desc, s.id desc
  limit ${limit}
`;

const beforeIt = (sendId: string) => sql`
  ${comparable}
    and s.brand_id = (select brand_id from touchpoint_sends where organization_id = current_organization_id() and id = ${sendId})
    and (s.send_date, s.id) < (
      select send_date, id from touchpoint_sends where organization_id = current_organization_id() and id = ${sendId})`;
