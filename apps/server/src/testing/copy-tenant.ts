import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { makeApiKey } from '../identity/api-keys/find-api-key-caller.ts';
import { newToken } from '../platform/secrets.ts';
import { executePrepared, type PreparedStatement } from './run-prepared.ts';
import { indexContacts } from '../sample/sends.ts';
import { listTenantTables } from './tenant-tables.ts';
import type { TenantBranch } from './tenant-branch.ts';
import type { TenantPeople } from './tenant-people.ts';
import { testSecrets } from './test-secrets.ts';

type Row = Record<string, unknown> & { id?: string; organization_id: string };

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

type Tenant = Partial<TenantPeople & TenantBranch> & { organizationId: string };

/** All rows of a tenant at one moment, to make copies of. */
export interface TenantPicture<T extends Tenant> {
  tenant: T;
  /** Rows by table, as JSON. */
  rows: string;
  /** Ids that each copy gets of its own, in the same order. */
  ids: readonly string[];
  /** Inserts such rows. */
  insert: PreparedStatement<unknown>;
}

/**
 * Reads all rows of a tenant.
 * @param newPeople  copies get members of their own; otherwise the same people are members of all of them
 */
export async function pictureTenant<T extends Tenant>(
  owner: Database,
  tenant: T,
  { newPeople }: { newPeople: boolean },
): Promise<TenantPicture<T>> {
  const parts = [
    ...(await listTenantTables(owner)).map((table) => rowsOf(table, sql`t.organization_id`, tenant)),
    rowsOf('organizations', sql`t.id`, tenant),
  ];
  if (newPeople) {
    const members = sql`(
      select m.organization_id from organization_users m
      where m.user_id = t.id and m.organization_id = ${tenant.organizationId}
    )`;
    parts.push(rowsOf('users', members, tenant));
  }
  const read = sql<{ name: string; rows: Row[] }>`${sql.join(parts, sql` union all `)}`;
  const tables = (await read.execute(owner)).rows.filter(({ rows }) => rows.length > 0);
  // Addresses of people have ids in them.
  const idsOf = ({ name, rows }: (typeof tables)[number]) =>
    name === 'users' ? JSON.stringify(rows).match(uuid)! : rows.map(({ id }) => String(id));
  return {
    tenant,
    rows: JSON.stringify(Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))),
    ids: tables.flatMap(idsOf).toSorted(),
    insert: await prepareInsert(
      owner,
      tables.map(({ name }) => name),
    ),
  };
}

const rowsOf = (table: string, organization: RawBuilder<unknown>, { organizationId }: Tenant) => sql`
  select ${sql.lit(table)} as name, coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows
  from ${sql.table(table)} t
  where ${organization} = ${organizationId}`;

/**
 * Stores a copy with its own ids and tokens, in a third of the time that building it takes: one statement for all tables,
 * without triggers and references, whose results the picture has.
 */
export async function copyTenant<T extends Tenant>(
  owner: Database,
  { tenant, rows, ids, insert }: TenantPicture<T>,
): Promise<T> {
  // Names that tenants do not share, which end in random digits.
  const names = [tenant.collection, tenant.customRole, tenant.unusedRole, tenant.marker].filter(
    (name) => name !== undefined,
  );
  // Those of one millisecond are in random order.
  const freshIds = ids.map(() => newId()).toSorted();
  const renewed = new Map([
    ...names.map((name) => [name, name.replace(/[0-9a-f]+$/, randomDigits)] as const),
    ...ids.map((id, index) => [id, freshIds[index]!] as const),
  ]);
  const pattern = new RegExp([uuid.source, ...names].join('|'), 'g');
  const renew = (text: string) => text.replaceAll(pattern, (found) => renewed.get(found) ?? found);
  const byTable = JSON.parse(renew(rows)) as Record<string, Row[]>;
  const copy = { ...(JSON.parse(renew(JSON.stringify(tenant))) as T), ...renewTokens(byTable) };
  await owner.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection);
    try {
      await executePrepared(connection, insert, [JSON.stringify(byTable)]);
    } finally {
      await sql`set session_replication_role = origin`.execute(connection);
    }
  });
  // Has hashes of the contacts' ids.
  if (copy.sendId !== undefined) await indexContacts(owner, copy.organizationId, copy.sendId);
  return copy;
}

const randomDigits = (digits: string) => randomBytes(digits.length).toString('hex').slice(0, digits.length);

/** Gives the rows their own tokens, each of which is in one row only. */
function renewTokens(rows: Record<string, Row[]>): Pick<TenantPeople, 'invitationToken' | 'linkToken'> {
  const [invitationToken, linkToken] = [newToken(), newToken()];
  for (const [table, purpose, token] of [
    ['organization_invitations', 'invitation', invitationToken],
    ['organization_invitation_links', 'invitation link', linkToken],
  ] as const)
    for (const row of rows[table] ?? []) {
      const { id = row.organization_id, organization_id: organizationId } = row;
      const place = { table, column: 'token_sealed', id, organizationId };
      row['token_hash'] = testSecrets.hash(purpose, token);
      row['token_sealed'] = testSecrets.seal(place, token);
    }
  for (const row of rows['api_keys'] ?? []) row['key_hash'] = makeApiKey(testSecrets).key_hash;
  return { invitationToken, linkToken };
}

async function prepareInsert(
  owner: Database,
  tables: readonly string[],
): Promise<PreparedStatement<unknown>> {
  // Generated columns and identities get their own values.
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables})
      and a.attgenerated = '' and a.attidentity = ''
    group by c.relname
  `.execute(owner);
  const inserts = rows.map(({ table, columns }) => {
    const names = sql.join(columns.map((column) => sql.id(column)));
    return sql`${sql.id(`insert_${table}`)} as (
      insert into ${sql.table(table)} (${names})
      select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, $1 -> ${sql.lit(table)})
    )`;
  });
  const name = `insert_tenant_${randomUUID()}`;
  return { name, prepare: sql`prepare ${sql.id(name)}(jsonb) as with ${sql.join(inserts)} select` };
}
