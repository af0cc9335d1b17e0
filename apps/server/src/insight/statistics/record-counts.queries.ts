import { sql } from 'kysely';
import type { RecordCounts } from '@reachout/contract/statistics.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Counts an organization's non-deleted records and its email results within the access scope. */
export async function countRecords(
  trx: Transaction,
  { organizationId }: { organizationId: string },
): Promise<RecordCounts> {
  const { rows } = await sql<RecordCounts>`
    with sends as materialized (
      select s.id, s.recipients_total_count, s.recipients_total_sent_count, s.recipients_not_measured_count
      from counted_sends s
      join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
      where s.organization_id = ${organizationId} and s.kind <> 'test'
    )
    select
      (select count(*) from clients where organization_id = ${organizationId} and not deleted) as clients,
      (select count(*) from current_brands where organization_id = ${organizationId}) as brands,
      (select count(*) from current_campaigns where organization_id = ${organizationId}) as campaigns,
      (select count(*) from current_touchpoints where organization_id = ${organizationId}) as touchpoints,
      s.*, e.*
    from (
      select count(*) as sends, coalesce(sum(recipients_total_count), 0)::bigint as recipients,
        coalesce(sum(recipients_total_sent_count), 0)::bigint as delivered,
        coalesce(sum(recipients_not_measured_count), 0)::bigint as not_measured
      from sends
    ) s
    cross join (
      select coalesce(sum(unique_count) filter (where type = 'OPEN_EMAIL'), 0)::bigint as opened,
        coalesce(sum(unique_count) filter (where type = 'CLICK'), 0)::bigint as clicked
      from current_event_sums
      -- An array, because what is not folded cannot be looked up by a join: it would read the sums of all sends.
      where organization_id = ${organizationId} and send_id = any (array(select id from sends))
    ) e
  `.execute(trx);
  return rows[0]!;
}
