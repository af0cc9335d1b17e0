import { valuesOf, type Database } from '../platform/database/database.ts';

/** @returns the tenant tables of schema public: all with a column `organization_id` */
export async function listTenantTables(owner: Database): Promise<string[]> {
  return await valuesOf<string>(owner)`
    select c.relname as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname
  `;
}
