import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { buildMember, buildOrganization } from '../sample/records.ts';
import { copyTenant, pictureTenant, type TenantPicture } from './copy-tenant.ts';
import { newId } from '../platform/ids.ts';
import { insertRows } from '../sample/rows.ts';
import { buildBranch, type TenantBranch } from './tenant-branch.ts';
import { runPrepared, type PreparedStatement } from './run-prepared.ts';
import { listTenantTables } from './tenant-tables.ts';
import { buildTenantPeople, type TenantPeople } from './tenant-people.ts';

export interface Tenant extends TenantPeople, TenantBranch {
  organizationId: string;
  ownerUserId: string;
  transportId: string;
}

let picture: TenantPicture<Tenant> | undefined;

/** Builds an organization with at least one row in every tenant table; guard tests fail when a table is missing here. */
export async function buildTenant(owner: Database): Promise<Tenant> {
  if (picture !== undefined) return await copyTenant(owner, picture);
  const tenant = await buildFirstTenant(owner);
  picture ??= await pictureTenant(owner, tenant, { newPeople: true });
  return tenant;
}

async function buildFirstTenant(owner: Database): Promise<Tenant> {
  const { id: organization_id } = await buildOrganization(owner);
  const { user_id } = await buildMember(owner, { organization_id });
  const branch = await buildBranch(owner, { organization_id });
  await insertRows(owner, 'organization_directus', {
    organization_id,
    endpoint: 'https://cms.example',
    state: 'disconnected',
  });
  const transportId = newId();
  await insertRows(owner, 'transports', {
    organization_id,
    id: transportId,
    name: 'Relay',
    // Connections to this machine are blocked.
    settings: JSON.stringify({
      kind: 'smtp',
      host: '127.0.0.1',
      port: 1,
      security: 'tls',
      username: null,
      envelope: 'ours',
    }),
  });
  await insertRows(owner, 'transport_choices', { organization_id, brand_id: branch.brandId });
  await insertRows(
    owner,
    'dkim_keys',
    (['r1', 'r2'] as const).map((selector, index) => ({
      organization_id,
      selector,
      public_key: 'unused',
      private_key: 'unused',
      is_signing: index === 0,
    })),
  );
  await insertRows(owner, 'content_outbox', {
    organization_id,
    collection: 'reachout_clients',
    id: branch.clientId,
  });
  const people = await buildTenantPeople(owner, { organization_id, client_id: branch.clientId, user_id });
  return { ...people, ...branch, organizationId: organization_id, ownerUserId: user_id, transportId };
}

/**
 * @returns one hash per table over all rows of a tenant: equal hashes mean that nothing changed (TEN-2), except when a
 *   member was last seen
 */
export async function digestTenant(owner: Database, organizationId: string): Promise<Record<string, string>> {
  const rows = await runPrepared(owner, await digestOf(owner), [organizationId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

type Digest = PreparedStatement<{ name: string; digest: string }>;
const digestOfDatabase = new WeakMap<Database, Promise<Digest>>();

/** Caches the statement: tests compare digests hundreds of times, and none adds a table to its database. */
function digestOf(owner: Database): Promise<Digest> {
  const digest = digestOfDatabase.get(owner) ?? prepareDigest(owner);
  digestOfDatabase.set(owner, digest);
  return digest;
}

async function prepareDigest(owner: Database): Promise<Digest> {
  const digests = [...(await listTenantTables(owner)), 'organizations'].map((table) => {
    const key = sql.ref(table === 'organizations' ? 'id' : 'organization_id');
    return sql`
      select ${sql.lit(table)} as name, md5(coalesce(string_agg(line, e'\\n' order by line), '')) as digest
      from (
        select (to_jsonb(t) - '{last_seen_at,last_used_at}'::text[])::text as line
        from ${sql.table(table)} t
        where ${key} = $1
      ) lines
    `;
  });
  return {
    name: 'digest_of_tenant',
    prepare: sql`prepare digest_of_tenant(uuid) as ${sql.join(digests, sql` union all `)}`,
  };
}
