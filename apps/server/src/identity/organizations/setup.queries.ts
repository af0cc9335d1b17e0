import { sql } from 'kysely';
import type { SetupTask } from '@reachout/contract/organizations.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The set-up tasks that an organization has done, derived from existing data: completion is not stored. */
export async function findDoneTasks(
  trx: Transaction,
  organizationId: string,
): Promise<Record<SetupTask, boolean>> {
  const { rows } = await sql<Record<SetupTask, boolean>>`
    select
      o.organization_size_id is not null and o.country_id is not null as profile,
      (select count(*) from organization_users u where u.organization_id = o.id) > 1
        or exists (select from organization_invitations i where i.organization_id = o.id) as team,
      exists (select from current_brands b where b.organization_id = o.id) as brand,
      has_contacts(o.id) as contacts,
      exists (select from filters f where f.organization_id = o.id) as audience,
      exists (select from touchpoint_sends s where s.organization_id = o.id and s.kind <> 'test') as touchpoint
    from organizations o
    where o.id = ${organizationId}
  `.execute(trx);
  return rows[0]!;
}
