import { randomUUID } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { roles } from '@reachout/contract/abilities.ts';
import { newTotpSecret } from '../identity/auth/second-factor/totp.ts';
import { totpPlace } from '../identity/auth/second-factor/verify-code.ts';
import type { Database } from '../platform/database/database.ts';
import type { DB } from '../platform/database/types.gen.ts';
import { newId } from '../platform/ids.ts';
import { newToken } from '../platform/secrets.ts';
import { testSecrets } from './test-secrets.ts';
import { deleteRows, findRow, getRow, insertRows } from './rows.ts';

// Each builder stores one row, and the parent rows that the test does not give. Builders write as the owner of the
// database, who bypasses row-level security: `owner` is never the connection of the product.

type Given<T extends keyof DB> = Partial<Insertable<DB[T]>>;
type Row<T extends keyof DB> = Selectable<DB[T]>;

/** @returns a unique text */
const unique = (word: string) => `${word} ${randomUUID().slice(0, 8)}`;

export const buildUser = (owner: Database, given: Given<'users'> = {}): Promise<Row<'users'>> =>
  owner
    .insertInto('users')
    .values({
      id: newId(),
      email: `${randomUUID()}@people.example`,
      email_verified: true,
      full_name: unique('Person'),
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const buildOrganization = (
  owner: Database,
  given: Given<'organizations'> = {},
): Promise<Row<'organizations'>> =>
  owner
    .insertInto('organizations')
    .values({ id: newId(), name: unique('Organization'), ...given })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Builds a member. The default role is owner. */
export async function buildMember(
  owner: Database,
  given: Given<'organization_users'> = {},
): Promise<Row<'organization_users'>> {
  return await owner
    .insertInto('organization_users')
    .values({
      organization_id: given.organization_id ?? (await buildOrganization(owner)).id,
      user_id: given.user_id ?? (await buildUser(owner)).id,
      role: given.role ?? roles[0],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Replaces the authenticator app of a user. @returns its secret */
export async function buildTotp(
  owner: Database,
  user_id: string,
  { secret = newTotpSecret(), isConfirmed = true } = {},
): Promise<string> {
  await deleteRows(owner, 'totp_secrets', { user_id });
  await insertRows(owner, 'totp_secrets', {
    user_id,
    secret_sealed: testSecrets.seal(totpPlace(user_id), secret),
    confirmed_at: isConfirmed ? new Date().toISOString() : null,
  });
  return secret;
}

export async function buildClient(owner: Database, given: Given<'clients'> = {}): Promise<Row<'clients'>> {
  const organization_id = given.organization_id ?? (await buildOrganization(owner)).id;
  return await owner
    .insertInto('clients')
    .values({ id: newId(), name: unique('Client'), ...given, organization_id })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function buildBrand(owner: Database, given: Given<'brands'> = {}): Promise<Row<'brands'>> {
  const client = await findOrBuild(owner, 'clients', given.client_id, () =>
    buildClient(owner, organizationOf(given)),
  );
  return await owner
    .insertInto('brands')
    .values({
      id: newId(),
      name: unique('Brand'),
      color: 'blue',
      tracking_policy: 'everyone',
      ...given,
      client_id: client.id,
      organization_id: client.organization_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function buildCampaign(
  owner: Database,
  given: Given<'campaigns'> = {},
): Promise<Row<'campaigns'>> {
  const brand = await findOrBuild(owner, 'brands', given.brand_id, () =>
    buildBrand(owner, organizationOf(given)),
  );
  return await owner
    .insertInto('campaigns')
    .values({
      id: newId(),
      name: unique('Campaign'),
      ...given,
      brand_id: brand.id,
      organization_id: brand.organization_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Builds a touchpoint with the row of its channel. The default type is email. */
export async function buildTouchpoint(
  owner: Database,
  given: Given<'touchpoints'> & {
    email?: Given<'touchpoint_emails'>;
    website?: Given<'touchpoint_websites'>;
  } = {},
): Promise<Row<'touchpoints'>> {
  const { email, website, ...columns } = given;
  const campaign = await findOrBuild(owner, 'campaigns', given.campaign_id, () =>
    buildCampaign(owner, organizationOf(given)),
  );
  const touchpoint = await owner
    .insertInto('touchpoints')
    .values({
      id: newId(),
      name: unique('Touchpoint'),
      type: 'email',
      ...columns,
      campaign_id: campaign.id,
      organization_id: campaign.organization_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (touchpoint.type === 'email') {
    await insertRows(owner, 'touchpoint_emails', {
      id: newId(),
      ...email,
      touchpoint_id: touchpoint.id,
      organization_id: touchpoint.organization_id,
    });
  } else {
    await insertRows(owner, 'touchpoint_websites', {
      id: newId(),
      token: newToken(),
      ...website,
      touchpoint_id: touchpoint.id,
      organization_id: touchpoint.organization_id,
    });
  }
  return touchpoint;
}

/** Builds an audience of all items in `contacts`. */
export async function buildFilter(owner: Database, given: Given<'filters'> = {}): Promise<Row<'filters'>> {
  const organization_id = given.organization_id ?? (await buildOrganization(owner)).id;
  const { brand_id = null } = given;
  const brand =
    brand_id === null ? undefined : await findRow(owner, 'brands', ['client_id'], { id: brand_id });
  return await owner
    .insertInto('filters')
    .values({
      id: newId(),
      client_id: brand?.client_id ?? null,
      name: unique('Audience'),
      collection: 'contacts',
      rule: JSON.stringify({}),
      field_mapping: JSON.stringify({ email: 'email', unsubscribed: 'unsubscribed' }),
      ...given,
      organization_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Builds a queued send that is due; the test sets the status of its touchpoint. */
export async function buildSend(
  owner: Database,
  given: Given<'touchpoint_sends'> = {},
): Promise<Row<'touchpoint_sends'>> {
  const touchpoint = await findOrBuild(owner, 'touchpoints', given.touchpoint_id, () =>
    buildTouchpoint(owner, { ...organizationOf(given), status: 'scheduled' }),
  );
  const { brand_id } = await getRow(owner, 'campaigns', '*', { id: touchpoint.campaign_id });
  return await owner
    .insertInto('touchpoint_sends')
    .values({
      id: newId(),
      brand_id,
      send_date: new Date().toISOString(),
      next_due_at: given.send_date ?? new Date().toISOString(),
      ...given,
      touchpoint_id: touchpoint.id,
      organization_id: touchpoint.organization_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Parent = 'clients' | 'brands' | 'campaigns' | 'touchpoints';

async function findOrBuild<T extends Parent>(
  owner: Database,
  table: T,
  id: string | undefined,
  build: () => Promise<Row<T>>,
): Promise<Row<T>> {
  if (id === undefined) return await build();
  const row = await owner
    .selectFrom<Parent>(table)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row as Row<T>;
}

const organizationOf = ({ organization_id }: { organization_id?: string }) =>
  organization_id === undefined ? {} : { organization_id };
