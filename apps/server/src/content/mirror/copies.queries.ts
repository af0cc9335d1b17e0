import { sql, type RawBuilder } from 'kysely';
import {
  mirroredCollections,
  type MirroredCollection,
} from '@reachout/contract/rules/mirrored-collections.ts';
import type { Change } from '../../clients/outbox/change.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { ContentCopies } from '@reachout/contract/content-backend.ts';
import { mirrorJobs } from '../../clients/outbox/mirror-jobs.ts';

/** The copy of a record that the content backend should have. */
export interface Copy {
  collection: MirroredCollection;
  id: string;
  /** Null if the record or one of its parents is deleted. */
  item: Record<string, string | null> | null;
}

/** Reads the copy of a changed record; after a deletion or restore, also the copies of its children, in order. */
export async function readCopies(
  trx: Transaction,
  organizationId: string,
  { collection, id, with_children: withChildren }: Pick<Change, 'collection' | 'id' | 'with_children'>,
): Promise<Copy[]> {
  // PostgreSQL plans the copies of all collections that the statement names, most of which the record cannot have.
  const collections = withChildren ? mirroredCollections : [collection];
  const query = sql<Copy>`
    with wanted as (
      select 0 as rank, ${collection}::text as collection, ${id}::uuid as id
      ${withChildren ? sql`union all ${childrenOf(organizationId, { collection, id })}` : sql``}
    )
    select w.collection, w.id, case w.collection
      ${sql.join(
        collections.map((name) => sql`when ${sql.lit(name)} then (${copyOf[name](organizationId)})`),
        sql` `,
      )}
    end as item
    from wanted w
    order by w.rank, w.id
  `;
  const { rows } = await prepared(query).execute(trx);
  return rows;
}

/** SQL for the copy of the record `w`. */
const copyOf: Record<MirroredCollection, (organizationId: string) => RawBuilder<unknown>> = {
  reachout_clients: (organizationId) => sql`
    select jsonb_build_object('name', c.name) from clients c
    where c.organization_id = ${organizationId} and c.id = w.id and not c.deleted`,
  reachout_brands: (organizationId) => sql`
    select jsonb_build_object('name', b.name, 'client', b.client_id) from current_brands b
    where b.organization_id = ${organizationId} and b.id = w.id`,
  reachout_campaigns: (organizationId) => sql`
    select jsonb_build_object('name', c.name, 'status', c.status, 'brand', c.brand_id,
      'scheduled_date', ${asTimestamp(sql`c.scheduled_date`)}, 'scheduled_date_tz', c.scheduled_date_tz)
    from campaign_overviews c
    where c.organization_id = ${organizationId} and c.id = w.id`,
  reachout_touchpoints: (organizationId) => sql`
    select jsonb_build_object('name', p.name, 'type', p.type, 'status', p.status, 'collection', p.collection,
      'campaign', p.campaign_id, 'scheduled_date', ${asTimestamp(sql`p.scheduled_date`)}, 'scheduled_date_tz', p.scheduled_date_tz)
    from touchpoint_overviews p
    where p.organization_id = ${organizationId} and p.id = w.id`,
  reachout_templates: (organizationId) => sql`
    select jsonb_build_object('title', i.data -> 'title', 'name', i.data -> 'name', 'preview', i.data -> 'preview',
      'template_type', i.data -> 'template_type')
    from content_items i
    where i.organization_id = ${organizationId} and i.collection = 'reachout_templates' and i.id = w.id::text`,
};

const asTimestamp = (at: RawBuilder<unknown>) =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the children of a record, without those deleted separately: their copies were already removed. */
const childrenOf = (
  organizationId: string,
  { collection, id }: Pick<Change, 'collection' | 'id'>,
): RawBuilder<unknown> => sql`
  select 1, 'reachout_brands', b.id from brands b
  where b.organization_id = ${organizationId} and ${collection} = 'reachout_clients' and b.client_id = ${id} and not b.deleted
  union all
  select 2, 'reachout_campaigns', c.id
  from campaigns c join brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where c.organization_id = ${organizationId} and not c.deleted and ${isBelow(collection, id)}
  union all
  select 3, 'reachout_touchpoints', t.id
  from touchpoints t
  join campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
  join brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where t.organization_id = ${organizationId} and not t.deleted
    and (${isBelow(collection, id)} or (${collection} = 'reachout_campaigns' and c.id = ${id}))`;

/** SQL condition: campaign `c` of brand `b` belongs to the client or brand with this id. */
const isBelow = (collection: MirroredCollection, id: string) => sql`(
  (${collection} = 'reachout_clients' and b.client_id = ${id} and not b.deleted)
  or (${collection} = 'reachout_brands' and b.id = ${id}))`;

const maxShown = 50;

/** Describes the changes that are still to be written to an organization's content backend. */
export async function describeOutbox(trx: Transaction, organizationId: string): Promise<ContentCopies> {
  const counts = await rowsOf<Omit<ContentCopies, 'items'>>(trx)`
    select count(*) filter (where state = 'waiting') as waiting_count, count(*) filter (where state = 'failed') as failed_count,
      (select j.due_at from jobs j
        where j.organization_id = ${organizationId} and j.kind = ${mirrorJobs.name} and j.state = 'open' and j.worker_id is null
          and j.due_at > now()) as next_attempt_at
    from content_outbox where organization_id = ${organizationId}
  `;
  const items = await rowsOf<ContentCopies['items'][number]>(trx)`
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
  `;
  return { ...counts[0]!, items };
}
