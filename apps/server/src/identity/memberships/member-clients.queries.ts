import { sql, type RawBuilder } from 'kysely';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { onlyValueOf, type Transaction } from '../../platform/database/database.ts';

/** The clients with these ids that are visible in this access scope, by name; without deleted ones. */
export const clientNames = (
  ids: RawBuilder<unknown>,
  accessScope: AccessScope,
): RawBuilder<{ id: string; name: string }[]> => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by lower(c.name), c.id)
    from clients c
    where c.id = any(${ids}) and not c.deleted and ${isVisible(accessScope)}
  ), '[]')
`;

/** Number of these clients that exist and are visible in the access scope. */
export const countVisibleClients = (
  trx: Transaction,
  ids: readonly string[],
  accessScope: AccessScope,
) => onlyValueOf<number>(trx)`
  select count(*) as count from clients c
  where c.id = any(${ids}::uuid[]) and not c.deleted and ${isVisible(accessScope)}
`;

function isVisible(accessScope: AccessScope): RawBuilder<boolean> {
  if (accessScope === 'all') return sql`true`;
  if (accessScope === 'nothing') return sql`false`;
  return sql`(
    c.id = any(${accessScope.client_ids}::uuid[])
    or c.id in (select b.client_id from brands b where b.id = any(${accessScope.brand_ids}::uuid[]) and not b.deleted)
  )`;
}
