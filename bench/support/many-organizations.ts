import { sql } from 'kysely';
import type { Database, Transaction } from '../../apps/server/src/platform/database/database.ts';

export interface Crowd {
  organizations: number;
  /** Per organization; default 1. */
  clients?: number;
  /** Per client; default 1. */
  brands?: number;
  /** Campaigns per organization; each has one touchpoint. */
  campaigns: number;
  /** Their age, at most; default: one for each campaign. */
  days?: number;
}

/** A member of an organization, with its only client. */
export interface Inhabitant {
  organization_id: string;
  client_id: string;
  user_id: string;
  email: string;
}

export async function buildCrowd(owner: Database, crowd: Crowd): Promise<void> {
  await owner.transaction().execute((trx) => insertCrowd(trx, crowd));
  await sql`vacuum analyze`.execute(owner);
}

/**
 * Inserts organizations with an owner, clients, a guest who is limited to one of them, brands, campaigns and touchpoints.
 * Campaigns are inserted round robin, as over the years: those of one organization are far apart on disk.
 */
export async function insertCrowd(
  trx: Transaction,
  { organizations, clients = 1, brands = 1, campaigns, days = campaigns }: Crowd,
): Promise<void> {
  // The references are valid by construction: millions of foreign-key checks would take most of the time.
  await sql`set local session_replication_role = replica`.execute(trx);
  await sql`
    create temporary table crowd on commit drop as
    select n, uuidv7() as organization_id, uuidv7() as owner_id, uuidv7() as guest_id
    from generate_series(1, ${organizations}::int) n
  `.execute(trx);
  await sql`insert into organizations (id, name) select organization_id, 'Agency ' || n from crowd`.execute(
    trx,
  );
  await sql`
    insert into users (id, email, email_verified, full_name)
    select owner_id, 'owner' || n || '@people.example', true, 'Owner ' || n from crowd
    union all select guest_id, 'guest' || n || '@people.example', true, 'Guest ' || n from crowd
  `.execute(trx);
  await sql`
    insert into organization_users (organization_id, user_id, role)
    select organization_id, owner_id, 'owner' from crowd
    union all select organization_id, guest_id, 'guest' from crowd
  `.execute(trx);
  await sql`
    insert into clients (id, organization_id, name)
    select uuidv7(), organization_id, 'Client ' || n from crowd, generate_series(1, ${clients}::int)
  `.execute(trx);
  await sql`
    insert into organization_user_clients (organization_id, user_id, client_id)
    select distinct on (organization_id) organization_id, guest_id, c.id from crowd join clients c using (organization_id)
  `.execute(trx);
  await sql`
    insert into brands (id, organization_id, client_id, name, color, tracking_policy)
    select uuidv7(), organization_id, id, 'Brand ' || n, 'blue', 'everyone' from clients, generate_series(1, ${brands}::int) n
  `.execute(trx);
  await sql`
    insert into campaigns (id, organization_id, brand_id, name, status, created_at, updated_at)
    select uuidv7(), organization_id, b.ids[turn % cardinality(b.ids) + 1], 'Campaign ' || turn, 'draft', at, at
    from generate_series(1, ${campaigns}::int) turn
    cross join (select organization_id, array_agg(id) as ids from brands group by 1) b
    cross join lateral (
      select now() - (${campaigns}::int - turn) * interval '1 day' * ${days}::int / ${campaigns}::int as at
    ) made
    order by turn
  `.execute(trx);
  await sql`
    insert into touchpoints (id, organization_id, campaign_id, name, type, created_at, updated_at)
    select uuidv7(), organization_id, id, 'Email', 'email', created_at, updated_at from campaigns
  `.execute(trx);
}

/** Picks members at random, so that their rows are not all cached. */
export async function pickInhabitants(owner: Database, role: string, count: number): Promise<Inhabitant[]> {
  const { rows } = await sql<Inhabitant>`
    select m.organization_id, c.id as client_id, u.id as user_id, u.email
    from organization_users m
    join users u on u.id = m.user_id
    join clients c on c.organization_id = m.organization_id
    where m.role = ${role}
    order by random()
    limit ${count}::int
  `.execute(owner);
  return rows;
}
