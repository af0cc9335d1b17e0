import { randomUUID } from 'node:crypto';
import { roles } from '@reachout/contract/abilities.ts';
import type { Database, Row } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { newToken } from '../platform/secrets.ts';
import { insertRow, insertRows, type Given } from './rows.ts';

// Each builder stores one row, and the parent rows that the caller does not give.

/** @returns a unique text */
const unique = (word: string) => `${word} ${randomUUID().slice(0, 8)}`;

export const buildUser = (db: Database, given: Given<'users'> = {}): Promise<Row<'users'>> =>
  insertRow(db, 'users', {
    id: newId(),
    email: `${randomUUID()}@people.example`,
    email_verified: true,
    full_name: unique('Person'),
    ...given,
  });

export const buildOrganization = (
  db: Database,
  given: Given<'organizations'> = {},
): Promise<Row<'organizations'>> =>
  insertRow(db, 'organizations', { id: newId(), name: unique('Organization'), ...given });

/** Builds a member. The default role is owner. */
export const buildMember = async (
  db: Database,
  given: Given<'organization_users'> = {},
): Promise<Row<'organization_users'>> =>
  insertRow(db, 'organization_users', {
    organization_id: given.organization_id ?? (await buildOrganization(db)).id,
    user_id: given.user_id ?? (await buildUser(db)).id,
    role: given.role ?? roles[0],
  });

export const buildClient = async (db: Database, given: Given<'clients'> = {}): Promise<Row<'clients'>> =>
  insertRow(db, 'clients', {
    id: newId(),
    name: unique('Client'),
    ...given,
    organization_id: given.organization_id ?? (await buildOrganization(db)).id,
  });

export async function buildBrand(db: Database, given: Given<'brands'> = {}): Promise<Row<'brands'>> {
  const client = await findOrBuild(db, 'clients', given.client_id, given, buildClient);
  return await insertRow(db, 'brands', {
    id: newId(),
    name: unique('Brand'),
    color: 'blue',
    tracking_policy: 'everyone',
    ...given,
    client_id: client.id,
    organization_id: client.organization_id,
  });
}

export async function buildCampaign(db: Database, given: Given<'campaigns'> = {}): Promise<Row<'campaigns'>> {
  const brand = await findOrBuild(db, 'brands', given.brand_id, given, buildBrand);
  return await insertRow(db, 'campaigns', {
    id: newId(),
    name: unique('Campaign'),
    ...given,
    brand_id: brand.id,
    organization_id: brand.organization_id,
  });
}

/** Builds a touchpoint with the row of its channel. The default type is email. */
export async function buildTouchpoint(
  db: Database,
  {
    email,
    website,
    ...given
  }: Given<'touchpoints'> & {
    email?: Given<'touchpoint_emails'>;
    website?: Given<'touchpoint_websites'>;
  } = {},
): Promise<Row<'touchpoints'>> {
  const campaign = await findOrBuild(db, 'campaigns', given.campaign_id, given, buildCampaign);
  const touchpoint = await insertRow(db, 'touchpoints', {
    id: newId(),
    name: unique('Touchpoint'),
    type: 'email',
    ...given,
    campaign_id: campaign.id,
    organization_id: campaign.organization_id,
  });
  const { id: touchpoint_id, organization_id } = touchpoint;
  const of = { id: newId(), touchpoint_id, organization_id };
  if (touchpoint.type === 'email') await insertRows(db, 'touchpoint_emails', { ...email, ...of });
  else await insertRows(db, 'touchpoint_websites', { token: newToken(), ...website, ...of });
  return touchpoint;
}

/** Builds an audience of all items in `contacts`. */
export async function buildFilter(db: Database, given: Given<'filters'> = {}): Promise<Row<'filters'>> {
  const brand = typeof given.brand_id === 'string' ? await getRow(db, 'brands', given.brand_id) : undefined;
  return await insertRow(db, 'filters', {
    id: newId(),
    client_id: brand?.client_id ?? null,
    name: unique('Audience'),
    collection: 'contacts',
    rule: JSON.stringify({}),
    field_mapping: JSON.stringify({ email: 'email', unsubscribed: 'unsubscribed' }),
    ...given,
    organization_id: given.organization_id ?? (await buildOrganization(db)).id,
  });
}

/** Builds a queued send that is due; the caller sets the status of its touchpoint. */
export async function buildSend(
  db: Database,
  given: Given<'touchpoint_sends'> = {},
): Promise<Row<'touchpoint_sends'>> {
  const touchpoint = await findOrBuild(db, 'touchpoints', given.touchpoint_id, given, (_, of) =>
    buildTouchpoint(db, { ...of, status: 'scheduled' }),
  );
  const { brand_id } = await getRow(db, 'campaigns', touchpoint.campaign_id);
  const now = new Date().toISOString();
  return await insertRow(db, 'touchpoint_sends', {
    id: newId(),
    brand_id,
    send_date: now,
    next_due_at: given.send_date ?? now,
    ...given,
    touchpoint_id: touchpoint.id,
    organization_id: touchpoint.organization_id,
  });
}

type Parent = 'clients' | 'brands' | 'campaigns' | 'touchpoints';

/** @returns the given parent, or a new one in the given organization */
const findOrBuild = <T extends Parent>(
  db: Database,
  table: T,
  id: string | undefined,
  { organization_id }: { organization_id?: string },
  build: (db: Database, of: { organization_id?: string }) => Promise<Row<T>>,
): Promise<Row<T>> =>
  id === undefined
    ? build(db, organization_id === undefined ? {} : { organization_id })
    : getRow(db, table, id);

const getRow = async <T extends Parent>(db: Database, table: T, id: string): Promise<Row<T>> =>
  (await db
    .selectFrom<Parent>(table)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()) as unknown as Row<T>;
