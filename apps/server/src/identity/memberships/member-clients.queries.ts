import { sql, type RawBuilder } from 'kysely';
import type { Reach } from '@reachout/contract/abilities.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface NamedClient {
  id: string;
  name: string;
}

/** The clients with these ids that somebody with this reach may see, by name; deleted ones are left out. */
export const clientNames = (ids: RawBuilder<unknown>, reach: Reach): RawBuilder<NamedClient[]> => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by lower(c.name), c.id)
    from clients c
    where c.id = any(${ids}) and not c.deleted and ${isVisible(reach)}
  ), '[]')
`;

/** How many of these clients are there, and within the reach. */
export async function countVisibleClients(
  trx: Transaction,
  ids: readonly string[],
  reach: Reach,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from clients c
    where c.id = any(${ids}::uuid[]) and not c.deleted and ${isVisible(reach)}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

function isVisible(reach: Reach): RawBuilder<boolean> {
  if (reach === 'all') return sql`true`;
  if (reach === 'nothing') return sql`false`;
  return sql`(
    c.id = any(${reach.client_ids}::uuid[])
    or c.id in (select b.client_id from brands b where b.id = any(${reach.brand_ids}::uuid[]) and not b.deleted)
  )`;
}
