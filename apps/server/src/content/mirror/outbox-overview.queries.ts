import { sql } from 'kysely';
import type { ContentCopies } from '@reachout/contract/content-backend.ts';
import { mirrorJobs } from '../../clients/outbox/mirror-jobs.ts';
import type { Transaction } from '../../platform/database/database.ts';

const maxShown = 50;

/** Describes the changes that are still to be written to an organization's content backend. */
export async function describeOutbox(trx: Transaction, organizationId: string): Promise<ContentCopies> {
  const { rows: counts } = await sql<Omit<ContentCopies, 'items'>>`
    select count(*) filter (where state = 'waiting') as waiting_count, count(*) filter (where state = 'failed') as failed_count,
      (select j.due_at from jobs j
        where j.organization_id = ${organizationId} and j.kind = ${mirrorJobs.name} and j.state = 'open' and j.worker_id is null
          and j.due_at > now()) as next_attempt_at
    from content_outbox where organization_id = ${organizationId}
  `.execute(trx);
  const { rows: items } = await sql<ContentCopies['items'][number]>`
    select o.collection, o.id, o.state, o.attempts, o.error_content, o.changed_at, case o.collection
      when 'reachout_clients' then (select c.name from clients c
        where c.organization_id = o.organization_id and c.id = o.id and not c.deleted)
      when 'reachout_brands' then (select b.name from current_brands b
        where b.organization_id = o.organization_id and b.id = o.id)
      when 'reachout_campaigns' then (select c.name from current_campaigns c
        where c.organization_id = o.organization_id and c.id = o.id)
      when 'reachout_touchpoints' then (select t.name from current_touchpoints t
        where t.organization_id = o.organization_id and t.id = o.id)
      else (select i.data ->> 'title' from content_items i
        where i.organization_id = o.organization_id and i.collection = o.collection and i.id = o.id::text)
    end as name
    from content_outbox o
    where o.organization_id = ${organizationId} and o.error_content is not null
    order by o.state, o.changed_at desc, o.id
    limit ${maxShown}
  `.execute(trx);
  return { ...counts[0]!, items };
}
