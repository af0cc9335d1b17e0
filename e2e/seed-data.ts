import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';

export interface SeedData {
  /** A custom role of the organization. */
  role: string;
  /** Tokens of a pending invitation, of a declined one, and of the link for guests. */
  pendingToken: string;
  declinedToken: string;
  linkToken: string;
  invitedEmail: string;
}

/** Creates data for every page of the settings, of a client and of the account. All records have the same name. */
export async function seedData(
  api: Api,
  organizationId: string,
  clientId: string,
  name: string,
): Promise<SeedData> {
  const organization = `/organizations/${organizationId}`;
  const client = `/clients/${clientId}`;
  const address = { line1: name, city: name, country_id: 'DE' };
  for (const owner of [organization, client, '/me']) await api.post(`${owner}/addresses`, address);
  const contact = { contact_type_id: 'billing', full_name: name, email: 'bill@nordwind.example' };
  for (const owner of [organization, client]) await api.post(`${owner}/contacts`, contact);
  const social = { network: 'website', url: `https://nordwind.example/${encodeURIComponent(name)}` };
  for (const owner of [client, '/me']) await api.post(`${owner}/socials`, social);
  const { role } = await api.post<{ role: string }>(`${organization}/roles`, {
    name,
    rules: [
      { action: 'read', subject: 'Client' },
      { action: 'update', subject: 'Client', conditions: { client_id: { $in: [clientId] } } },
    ],
  });
  await api.post(`${organization}/api_keys`, { name, scopes: ['clients:read', 'campaigns:send'] });
  const { id } = await api.post<{ id: string }>('/clients', { organization_id: organizationId, name });
  await api.delete(`/clients/${id}`);

  const invitedEmail = `${randomUUID()}@people.example`;
  const invite = async (email: string): Promise<string> => {
    const { items } = await api.post<{ items: { url: string }[] }>('/organizations/invitations/create', {
      organization_id: organizationId,
      emails: [email],
      role,
    });
    return tokenOf(items[0]!.url);
  };
  const pendingToken = await invite(invitedEmail);
  const declinedToken = await invite(`${randomUUID()}@people.example`);
  await api.delete(`/organizations/invitations/${declinedToken}`);
  const link = await api.put<{ url: string }>(`${organization}/invitation_link`, { client_ids: [clientId] });
  return { role, pendingToken, declinedToken, linkToken: tokenOf(link.url), invitedEmail };
}

const tokenOf = (url: string): string => url.split('/').at(-1)!;
