import { onlyValueOf, rowsOf, type Transaction } from '../platform/database/database.ts';
import type { SendKey } from './send-statements.ts';

/** A send with what mail servers took of it in the last seven days. */
export interface AcceptedOfSend {
  send_id: string;
  touchpoint_id: string;
  /** Of its sender, in lower case. */
  domain: string;
  accepted: number;
}

/** Lists what was accepted lately of the sends of this send's brand, from its domain; the send itself also without any. */
export const listAcceptedBeside = (
  trx: Transaction,
  { organizationId, sendId }: SendKey,
) => rowsOf<AcceptedOfSend>(trx)`
  with accepted as materialized (
    select send_id, sum(count)::bigint as count from counted_results
    where organization_id = ${organizationId} and state = 'accepted' and at >= now() - interval '7 days'
    group by send_id
  ), own as materialized (
    select s.id, s.touchpoint_id, sender_domain(c.content) as domain, coalesce(a.count, 0) as count
    from touchpoint_sends s
    join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
    left join accepted a on a.send_id = s.id
    where s.organization_id = ${organizationId} and s.kind <> 'test' and (s.id = ${sendId} or a.send_id is not null)
      and s.brand_id = (select brand_id from touchpoint_sends where organization_id = ${organizationId} and id = ${sendId})
  )
  select id as send_id, touchpoint_id, domain, count as accepted from own
  where domain = (select domain from own where id = ${sendId})
`;

/** @returns the number of different addresses that these messages went to */
export const countAddresses = (
  trx: Transaction,
  organizationId: string,
  messages: readonly { send_id: string; seq: number }[],
) => onlyValueOf<number>(trx)`
  select count(distinct lower(d.address))::bigint
  from json_to_recordset(${JSON.stringify(messages)}::json) as m (send_id uuid, seq int)
  join deliveries d on d.organization_id = ${organizationId} and d.send_id = m.send_id and d.seq = m.seq
`;
