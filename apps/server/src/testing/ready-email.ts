import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Person, TestApp } from './app.ts';
import { fixtureMjml } from './send-fixture.ts';

export interface ReadyEmail {
  person: Person;
  organizationId: string;
  brandId: string;
  campaignId: string;
  touchpointId: string;
  filterId: string;
  templateId: string;
}

/**
 * Builds an email that can be sent, through the API, as the owner of a new organization. Its audience is all contacts:
 * user1@sink.example in DE, user2@sink.example in AT, user3@sink.example in DE, …
 */
export async function buildReadyEmail(
  app: TestApp,
  {
    contacts = 3,
    mjml = fixtureMjml,
    person: given,
  }: { contacts?: number; mjml?: string; person?: Person } = {},
): Promise<ReadyEmail> {
  const person = given ?? (await app.signIn());
  const post = async (path: string, body: object): Promise<string> => {
    const response = await app.request<{ id: string }>('POST', path, { body, as: person });
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body.id;
  };
  const organization_id = await post('/api/organizations', { name: 'Agency' });
  const client_id = await post('/api/clients', { organization_id, name: 'Nordwind Outdoor' });
  const brand_id = await post('/api/brands', { organization_id, client_id, name: 'Nordwind' });
  const campaign_id = await post('/api/campaigns', { organization_id, brand_id, name: 'Spring' });
  const filter_id = await post('/api/filters', { organization_id, name: 'Everybody' });
  const template_id = await post(`/api/content/${organization_id}/templates`, { title: 'Spring', mjml });
  const touchpointId = await post('/api/touchpoints', {
    organization_id,
    campaign_id,
    name: 'Newsletter',
    type: 'email',
  });
  const changed = await app.request('PATCH', `/api/touchpoints/${touchpointId}/email`, {
    body: {
      filter_id,
      template_id,
      subject: 'News for {{ contact.first_name }}',
      from_email: 'news@nordwind.example',
    },
    as: person,
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await addContacts(app, organization_id, contacts);
  return {
    person,
    organizationId: organization_id,
    brandId: brand_id,
    campaignId: campaign_id,
    touchpointId,
    filterId: filter_id,
    templateId: template_id,
  };
}

async function addContacts({ owner }: TestApp, organizationId: string, count: number): Promise<void> {
  await sql`
    insert into content_items (organization_id, collection, id, data)
    select ${organizationId}::uuid, 'contacts', 'contact-' || lpad(i::text, 6, '0'),
      jsonb_build_object('email', 'user' || i || '@sink.example', 'first_name', 'Person ' || i, 'unsubscribed', false,
        'country', case when i % 2 = 0 then 'AT' else 'DE' end)
    from generate_series(1, ${count}::int) i
  `.execute(owner);
}
