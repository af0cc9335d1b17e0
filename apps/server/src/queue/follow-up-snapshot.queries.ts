import { sql } from 'kysely';
import {
  domainOf,
  exclusionOf,
  joinConsent,
  selectContacts,
  trackingWith,
  type AudienceTally,
  type ValidatedAudience,
} from '../contacts/audiences/audience-sql.ts';
import { rowsOf, valuesOf, type Transaction } from '../platform/database/database.ts';
import { hashAndSeq } from './contact-deliveries-sql.ts';
import {
  chunkBytes,
  chunksOfLanes,
  commonStart,
  contactsOfWritten,
  knownDomains,
  lanesOfTally,
  type SnapshotTarget,
} from './snapshot-statements.queries.ts';

/** @returns ids of the contacts whose delivery failed in a send */
export const listFailedContacts = (
  trx: Transaction,
  organizationId: string,
  sendId: string,
  limit: number,
) => valuesOf<string>(trx)`
  select distinct d.contact_id
  from delivery_results r
  join deliveries d on d.organization_id = r.organization_id and d.send_id = r.send_id and d.seq = r.seq
  where r.organization_id = ${organizationId} and r.send_id = ${sendId} and r.state = 'failed'
  limit ${limit}
`;

/**
 * Writes the contacts whose delivery failed in another send, like `insertSnapshot`, with the fields they had there. Contacts
 * that were deleted or changed their address since are left out; those that get no email any more become exclusions.
 * @param contacts  all contacts in the collection of the other send
 */
export async function insertFailed(
  trx: Transaction,
  organizationId: string,
  { parentId, contacts }: { parentId: string; contacts: ValidatedAudience },
  { sendId, chunkSize, starts }: Omit<SnapshotTarget, 'contactFields'>,
): Promise<AudienceTally> {
  const tracking = trackingWith(organizationId, contacts.brandId, 'd', sql`d.tracking_consent`);
  return await rowsOf<AudienceTally[number]>(trx)`
    with known as materialized (${knownDomains}),
    current as materialized (${selectContacts(organizationId, contacts)}),
    unsubscribed as materialized (select id, address_key from current where unsubscribed),
    contact as materialized (
      select d.seq, d.contact_id, d.address, d.variables, d.tracking_consent, ${tracking.isTracked} as tracked,
        coalesce(known.recipient_group, 'other') as lane,
        case when d.contact_id in (select id from unsubscribed)
          or lower(d.address) in (select address_key from unsubscribed) then 'unsubscribed'
          else ${exclusionOf(organizationId, contacts)} end as reason
      from delivery_results r
      join deliveries d on d.organization_id = r.organization_id and d.send_id = r.send_id and d.seq = r.seq
      left join known on known.domain = ${domainOf(sql`d.address`)}
      ${joinConsent(organizationId, contacts, sql`lower(d.address)`)}
      ${tracking.join}
      where r.organization_id = ${organizationId} and r.send_id = ${parentId} and r.state = 'failed'
        and exists (select from current where current.id = d.contact_id and current.address_key = lower(d.address))
    ),
    tally as (
      select reason, lane, count(*) as count,
        greatest(1, least(${chunkSize}::bigint, ${chunkBytes}::bigint / max(octet_length(variables::text)))) as chunk_size
      from contact
      group by reason, lane
    ),
    lanes as materialized (${lanesOfTally}),
    written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables, tracked, tracking_consent)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (order by lane, seq), contact_id, address, variables,
        tracked, tracking_consent
      from contact
      where reason is null
      returning ${hashAndSeq}
    ),
    by_contact as (${contactsOfWritten(organizationId, sendId)}),
    excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, row_number() over (order by seq), contact_id, address, reason
      from contact
      where reason is not null
    ),
    chunks as (${chunksOfLanes(organizationId, sendId, commonStart(starts))})
    select reason, sum(count)::int as count from tally group by reason
  `;
}
