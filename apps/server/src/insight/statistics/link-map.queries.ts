import type { EmailSnapshot } from '../../email/email-content.ts';
import { firstValueOf, type Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';

/** @returns the content of the newest send that matches the query; undefined if there is none */
export const findNewestContent = (
  trx: Transaction,
  { organizationId, touchpointId, sendId }: StatisticsQuery,
) => firstValueOf<EmailSnapshot>(trx)`
  select c.content
  from touchpoint_sends s
  join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
  where s.organization_id = ${organizationId} and s.touchpoint_id = ${touchpointId} and s.kind <> 'test'
    and (${sendId ?? null}::uuid is null or s.id = ${sendId ?? null}::uuid)
  order by s.send_date desc, s.id desc
  limit 1
`;
