import { sql, type RawBuilder } from 'kysely';
import type { Row } from '../../platform/database/database.ts';

/** `website`: the name of its touchpoint; null once it is deleted. */
export type PersonVisit = Omit<Row<'visits'>, 'organization_id' | 'touchpoint_id' | 'visitor_id'> & {
  website: string | null;
};

/** SQL that selects the visits of websites that are bound to contacts, the newest first. */
export const selectVisitsOf = (
  organizationId: string,
  contacts: readonly { collection: string; contact_id: string }[],
  limit: number,
): RawBuilder<PersonVisit> => sql`
  select t.name as website, v.started_at, v.ended_at, v.page_views, v.events, v.first_path, v.referrer_host
  from json_to_recordset(${JSON.stringify(contacts)}::json) as g (collection text, contact_id text)
  join contact_visitors c on c.organization_id = ${organizationId} and c.collection = g.collection
    and c.contact_id = g.contact_id
  join visits v on v.organization_id = c.organization_id and v.touchpoint_id = c.touchpoint_id
    and v.visitor_id = c.visitor_id and v.ended_at >= c.bound_at
    and v.started_at < coalesce(c.bound_until, 'infinity')
  left join current_touchpoints t on t.organization_id = v.organization_id and t.id = v.touchpoint_id
  order by v.started_at desc
  limit ${limit}`;
