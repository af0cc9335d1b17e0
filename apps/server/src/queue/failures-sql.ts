import { sql, type RawBuilder } from 'kysely';

/**
 * SQL that selects the messages of sends that were not delivered, by `state`, `class`, `domain` of the address, `at`, `accepted_at` and
 * `reply`. @param sends  selects their ids
 */
export const selectFailures = (
  organizationId: string,
  sends: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select r.state, r.class, split_part(lower(d.address), '@', 2) as domain, r.at, r.accepted_at, r.reply
  from (${sends}) s
  join delivery_results r on r.organization_id = ${organizationId} and r.send_id = s.id and r.state in ('bounced', 'failed')
  join deliveries d on d.organization_id = r.organization_id and d.send_id = r.send_id and d.seq = r.seq`;
