import { sql } from 'kysely';
import { statement } from '../../platform/database/pipelined.ts';
import {
  execute,
  rowsOf,
  valuesOf,
  type Database,
  type Row,
  type Transaction,
} from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';

/** Bindings that are kept of a visitor: beyond that, the oldest go. */
const maxOfVisitor = 20;
/** Bindings that a message can cause: its link may be public, and anybody can make up visitors. A batch may add some more. */
const maxOfMessage = 1_000;

const links = `json_to_recordset($2::json) as l (touchpoint_id uuid, visitor_id uuid, at timestamptz, send_id uuid, seq integer)`;

/**
 * $1 is the organization, $2 an array of `VisitorLink` in snake case. A link to the contact that the visitor is already changes
 * nothing, so that a repeated event doesn't either. All processes insert in the same order, to prevent deadlocks.
 */
export const insertVisitorContacts = statement('insert_visitor_contacts')`
  with link as materialized (
    select l.*, m.collection, m.contact_id, lag(m.collection) over visitor as collection_before,
      lag(m.contact_id) over visitor as contact_before
    from ${links}
    join message_contacts m on m.organization_id = $1 and m.send_id = l.send_id and m.seq = l.seq
    where not contact_is_gone($1, m.collection, m.contact_id) and m.contact_id <> ''
      and not is_stopped($1, l.touchpoint_id, m.collection, m.contact_id)
    window visitor as (partition by l.touchpoint_id, l.visitor_id order by l.at, l.send_id, l.seq)
  )
  insert into visitor_contacts
    (organization_id, touchpoint_id, visitor_id, bound_at, send_id, seq, collection, contact_id)
  select $1::uuid, touchpoint_id, visitor_id, at, send_id, seq, collection, contact_id
  from link l
  where (
      case when contact_before is not null then collection_before = collection and contact_before = contact_id
      else (
        select v.collection = l.collection and v.contact_id = l.contact_id from visitor_contacts v
        where v.organization_id = $1 and v.touchpoint_id = l.touchpoint_id and v.visitor_id = l.visitor_id
          and v.bound_at <= l.at
        order by v.bound_at desc
        limit 1
      ) end
    ) is not true
    and (
      select count(*) from (
        select from visitor_contacts v
        where v.organization_id = $1 and v.send_id = l.send_id and v.seq = l.seq
        limit ${maxOfMessage}
      ) of_message
    ) < ${maxOfMessage}
  order by touchpoint_id, visitor_id, at
  on conflict do nothing`;

/** The parameters are the same. Rows that another process is deleting are left to it: the two could wait for each other. */
export const trimVisitorContacts = statement('trim_visitor_contacts')`
  delete from visitor_contacts where ctid = any (array(
    select v.ctid
    from (select distinct touchpoint_id, visitor_id from ${links}) l
    join visitor_contacts v on v.organization_id = $1 and v.touchpoint_id = l.touchpoint_id and v.visitor_id = l.visitor_id
    where v.bound_at < (
      select n.bound_at from visitor_contacts n
      where n.organization_id = $1 and n.touchpoint_id = l.touchpoint_id and n.visitor_id = l.visitor_id
      order by n.bound_at desc
      offset ${maxOfVisitor - 1} limit 1
    )
    for update of v skip locked
  )) and organization_id = $1`;

/** From now on, visitors who are these contacts are nobody. */
export const unbindVisitors = (
  trx: Transaction,
  organizationId: string,
  touchpointId: string,
  contacts: readonly { collection: string; contact_id: string }[],
) => execute(trx)`
  insert into visitor_contacts (organization_id, touchpoint_id, visitor_id, bound_at, send_id, seq, collection, contact_id)
  select v.organization_id, v.touchpoint_id, v.visitor_id, clock_timestamp(), v.send_id, v.seq, '', ''
  from visitor_contacts v
  join (
    select distinct collection, contact_id
    from json_to_recordset(${JSON.stringify(contacts)}::json) as c (collection text, contact_id text)
  ) c on c.collection = v.collection and c.contact_id = v.contact_id
  where v.organization_id = ${organizationId} and v.touchpoint_id = ${touchpointId} and not exists (
    select from visitor_contacts n
    where n.organization_id = v.organization_id and n.touchpoint_id = v.touchpoint_id and n.visitor_id = v.visitor_id
      and n.bound_at > v.bound_at
  )
  order by v.visitor_id
  on conflict do nothing
`;

/** Marks what binds visitors to a deleted contact. */
export const markVisitorContacts = (
  trx: Transaction,
  { organizationId, collection, key }: ContactKey,
) => execute(trx)`
  update visitor_contacts set is_erased = true
  where organization_id = ${organizationId} and collection = ${collection} and contact_id = ${key}
`;

/**
 * A visitor of a website, for as long as they were a contact that is deleted: until now if `bound_until` is null. `bound_at` has the
 * microseconds that timestamps lack here.
 */
export type ErasedBinding = Row<
  'contact_visitors',
  'touchpoint_id' | 'visitor_id' | 'bound_at' | 'bound_until'
>;

export const listErasedBindings = (
  trx: Transaction,
  organizationId: string,
  limit: number,
) => rowsOf<ErasedBinding>(trx)`
  select e.touchpoint_id, e.visitor_id, e.bound_at::text as bound_at, (
      select min(n.bound_at) from visitor_contacts n
      where n.organization_id = e.organization_id and n.touchpoint_id = e.touchpoint_id and n.visitor_id = e.visitor_id
        and n.bound_at > e.bound_at
    )::text as bound_until
  from visitor_contacts e
  where e.organization_id = ${organizationId} and e.is_erased
  limit ${limit}
`;

export const deleteErasedBindings = (
  trx: Transaction,
  organizationId: string,
  bindings: readonly ErasedBinding[],
) => execute(trx)`
  delete from visitor_contacts v
  using json_to_recordset(${JSON.stringify(bindings)}::json) as e (touchpoint_id uuid, visitor_id uuid, bound_at timestamptz)
  where v.organization_id = ${organizationId} and v.touchpoint_id = e.touchpoint_id and v.visitor_id = e.visitor_id
    and v.bound_at = e.bound_at and v.is_erased
`;

/** @returns ids of organizations with bindings of deleted contacts */
export const listOrganizationsToErase = (db: Database, limit: number) => valuesOf<string>(db)`
  select organization_id from organizations_with_erased_visitors(${limit})
`;

/** Deletes at most `limit` bindings of a website from before a time. @returns their number */
export async function deleteOldVisitorContacts(
  trx: Transaction,
  of: { organization_id: string; touchpoint_id: string; kept_from: string },
  limit: number,
): Promise<number> {
  const isOld = sql`organization_id = ${of.organization_id} and touchpoint_id = ${of.touchpoint_id}
    and bound_at < ${of.kept_from}`;
  const { numAffectedRows } = await sql`
    delete from visitor_contacts
    where (visitor_id, bound_at) in (select visitor_id, bound_at from visitor_contacts where ${isOld} limit ${limit}) and ${isOld}
  `.execute(trx);
  return Number(numAffectedRows);
}
