import { randomUUID } from 'node:crypto';
import { makeApiKey } from '../identity/api-keys/find-api-key-caller.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { newToken } from '../platform/secrets.ts';
import { buildMember, buildUser } from '../sample/records.ts';
import { insertRows } from '../sample/rows.ts';
import { testSecrets } from './test-secrets.ts';

/** The rows of a tenant about people: members, roles, invitations, and the contact details of it and its client. */
export interface TenantPeople {
  /** A guest, limited to the client. */
  memberUserId: string;
  /** A custom role that a member has, and an unused one. */
  customRole: string;
  unusedRole: string;
  invitationId: string;
  invitationToken: string;
  linkToken: string;
  apiKeyId: string;
  addressId: string;
  contactId: string;
}

export async function buildTenantPeople(
  owner: Database,
  { organization_id, client_id, user_id }: { organization_id: string; client_id: string; user_id: string },
): Promise<TenantPeople> {
  const guest = await buildMember(owner, { organization_id, role: 'guest' });
  await insertRows(owner, 'organization_user_clients', {
    organization_id,
    user_id: guest.user_id,
    client_id,
  });
  const roles = await buildRoles(owner, organization_id);
  const invitations = await buildInvitations(owner, { organization_id, user_id });
  const { secret: _, ...key } = makeApiKey(testSecrets);
  const apiKeyId = newId();
  await insertRows(owner, 'api_keys', {
    ...key,
    id: apiKeyId,
    organization_id,
    user_id,
    name: 'Reports',
    scopes: ['statistics:read'],
    expires_at: inDays(30),
  });
  await insertRows(owner, 'audit_log', {
    organization_id,
    id: newId(),
    user_id,
    action: 'clients.create',
    record_id: client_id,
  });
  return {
    memberUserId: guest.user_id,
    ...roles,
    ...invitations,
    apiKeyId,
    ...(await buildContactDetails(owner, organization_id)),
  };
}

async function buildRoles(owner: Database, organization_id: string) {
  // Role names differ from those of other organizations.
  const [customRole, unusedRole] = ['reader', 'spare'].map(
    (word) => `${word}_${randomUUID().slice(0, 8)}`,
  ) as [string, string];
  await insertRows(owner, 'organization_roles', [
    { organization_id, role: customRole, name: 'Reader' },
    { organization_id, role: unusedRole, name: 'Spare' },
  ]);
  await insertRows(owner, 'role_permissions', {
    organization_id,
    role: customRole,
    position: 1,
    action: 'read',
    subject: 'all',
  });
  const { id: user_id } = await buildUser(owner);
  await buildMember(owner, { organization_id, user_id, role: customRole });
  return { customRole, unusedRole };
}

async function buildInvitations(owner: Database, ids: { organization_id: string; user_id: string }) {
  const { organization_id, user_id } = ids;
  const id = newId();
  const [invitationToken, linkToken] = [newToken(), newToken()];
  const sealed = (table: string, row: string, token: string) =>
    testSecrets.seal({ table, column: 'token_sealed', id: row, organizationId: organization_id }, token);
  await insertRows(owner, 'organization_invitations', {
    id,
    organization_id,
    email: `${id}@people.example`,
    role: 'guest',
    language: 'en',
    token_hash: testSecrets.hash('invitation', invitationToken),
    token_sealed: sealed('organization_invitations', id, invitationToken),
    invited_by: user_id,
    expires_at: inDays(7),
  });
  await insertRows(owner, 'organization_invitation_links', {
    organization_id,
    token_hash: testSecrets.hash('invitation link', linkToken),
    token_sealed: sealed('organization_invitation_links', organization_id, linkToken),
    max_uses: 20,
    expires_at: inDays(7),
    created_by: user_id,
  });
  return { invitationId: id, invitationToken, linkToken };
}

async function buildContactDetails(owner: Database, organization_id: string) {
  const [addressId, contactId] = [newId(), newId()];
  await insertRows(owner, 'organization_addresses', {
    id: addressId,
    organization_id,
    line1: 'Hauptstr. 1',
    city: 'Berlin',
    country_id: 'DE',
  });
  await insertRows(owner, 'organization_contacts', {
    id: contactId,
    organization_id,
    contact_type_id: 'general',
    full_name: 'Grete Hermann',
  });
  return { addressId, contactId };
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
