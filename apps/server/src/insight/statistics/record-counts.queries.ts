import type { RecordCounts } from '@reachout/contract/statistics.ts';
import { onlyRowOf, type Transaction } from '../../platform/database/database.ts';

/** Counts an organization's non-deleted records and its email results within the access scope. */
export const countRecords = (
  trx: Transaction,
  { organizationId }: { organizationId: string },
) => onlyRowOf<RecordCounts>(trx)`
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
    select coalesce(sum(running_counts[1]) filter (where dimension = 'OPEN_EMAIL'), 0)::bigint as opened,
      coalesce(sum(running_counts[1]) filter (where dimension = 'CLICK'), 0)::bigint as clicked
    from counts
    where organization_id = ${organizationId} and value = 'unique' and dimension in ('OPEN_EMAIL', 'CLICK')
      and day = '-infinity' and subject_id in (select id from sends)
  ) e
`;
