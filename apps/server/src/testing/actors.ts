import { apiKeyScopeNames } from '@reachout/contract/abilities.ts';
import { makeApiKey } from '../identity/api-keys/find-api-key-caller.ts';
import { newId } from '../platform/ids.ts';
import type { Person, TestApp } from './app.ts';
import { buildClient, buildMember } from '../sample/records.ts';
import { callers, type CallerKind } from './outcomes.ts';
import { insertRows } from '../sample/rows.ts';
import { buildTenant, type Tenant } from './tenant.ts';
import { testSecrets } from './test-secrets.ts';

/** A tenant, and one signed-in user of each kind of caller. */
export interface Actors {
  tenant: Tenant;
  people: Record<CallerKind, Person | undefined>;
}

/** Builds a tenant and signs in one user of each kind of caller. */
export async function createActors(app: TestApp): Promise<Actors> {
  const people = {} as Actors['people'];
  for (const caller of callers)
    if (caller !== 'anonymous' && caller !== 'api_key') people[caller] = await app.signIn();
  const tenant = await buildTenant(app.owner);
  for (const caller of callers) people[caller] = await enterAs(app, caller, tenant, people[caller]);
  await buildMember(app.owner, { user_id: people.stranger?.userId ?? '' });
  return { tenant, people };
}

/** Gives a user the role and access scope of this kind of caller; for `api_key`, creates a new key of the owner. */
export async function enterAs(
  app: TestApp,
  caller: CallerKind,
  tenant: Tenant,
  person: Person | undefined,
): Promise<Person | undefined> {
  const { organizationId: organization_id } = tenant;
  if (caller === 'api_key') return await makeKeyOf(app, organization_id, tenant.ownerUserId);
  if (person === undefined || caller === 'stranger') return person;
  const { userId: user_id } = person;
  if (caller === 'custom_role') {
    const role = `bare_${newId().slice(-12)}`;
    await insertRows(app.owner, 'organization_roles', { organization_id, role, name: role });
    await buildMember(app.owner, { organization_id, user_id, role });
    return person;
  }
  const role = caller === 'guest_elsewhere' ? 'guest' : caller;
  await buildMember(app.owner, { organization_id, user_id, role });
  if (caller === 'guest') await limitToClient(app, organization_id, user_id, [tenant.clientId]);
  if (caller === 'guest_elsewhere') {
    const elsewhere = await buildClient(app.owner, { organization_id });
    await limitToClient(app, organization_id, user_id, [elsewhere.id]);
  }
  return person;
}

/** Signs in a new member who is limited to these clients. */
export async function signInGuest(
  app: TestApp,
  organization_id: string,
  clientIds: readonly string[],
  role = 'guest',
): Promise<Person> {
  const person = await app.signInMember(organization_id, role);
  await limitToClient(app, organization_id, person.userId, clientIds);
  return person;
}

async function limitToClient(
  { owner }: TestApp,
  organization_id: string,
  user_id: string,
  clientIds: readonly string[],
): Promise<void> {
  for (const client_id of clientIds)
    await insertRows(owner, 'organization_user_clients', { organization_id, user_id, client_id });
}

/** Creates an API key of this member. @param scopes  default: all */
export async function makeKeyOf(
  app: TestApp,
  organization_id: string,
  user_id: string,
  scopes: readonly string[] = apiKeyScopeNames,
): Promise<Person & { keyId: string; token: string }> {
  const { secret, ...key } = makeApiKey(testSecrets);
  const id = newId();
  await insertRows(app.owner, 'api_keys', {
    ...key,
    id,
    organization_id,
    user_id,
    name: 'Test',
    scopes: [...scopes],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const person = { userId: user_id, email: '', headers: { authorization: `Bearer ${secret}` } };
  return { ...app.withHeaders(person), keyId: id, token: secret };
}
