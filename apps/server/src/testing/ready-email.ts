import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Person, TestApp } from './app.ts';
import { copyTenant, pictureTenant, type TenantPicture } from './copy-tenant.ts';
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

type Prepared = Omit<ReadyEmail, 'person'>;
interface Owned extends Prepared {
  userId: string;
  email: string;
}

/** Of the first one, which the API has made, to make copies of. */
let picture: TenantPicture<Owned> | undefined;

/**
 * Builds an email that can be sent, as the owner of a new organization. Its audience is all contacts:
 * user1@sink.example in DE, user2@sink.example in AT, user3@sink.example in DE, …
 */
export async function buildReadyEmail(
  app: TestApp,
  { contacts = 3, mjml, person: given }: { contacts?: number; mjml?: string; person?: Person } = {},
): Promise<ReadyEmail> {
  if (picture === undefined) {
    const maker = await app.signIn();
    const { userId, email } = maker;
    const made = { ...(await makeEmail(app, maker)), userId, email };
    picture = await pictureTenant(app.owner, made, { newPeople: true });
  }
  const { userId, email, ...prepared } =
    given === undefined
      ? await copyTenant(app.owner, picture)
      : { ...(await makeEmail(app, given)), ...given };
  const person = given ?? (await app.signIn({ userId, email }));
  if (mjml !== undefined) {
    const path = `/api/touchpoints/${prepared.touchpointId}/email`;
    const { status, body } = await app.request('PATCH', path, { body: { mjml }, as: person });
    assert.equal(status, 200, JSON.stringify(body));
  }
  await addContacts(app, prepared.organizationId, contacts);
  return { ...prepared, person };
}

async function makeEmail(app: TestApp, person: Person): Promise<Prepared> {
  const post = async (path: string, body: object): Promise<string> => {
    return (await app.ok<{ id: string }>('POST', path, { body, as: person })).id;
  };
  const organization_id = await post('/api/organizations', { name: 'Agency' });
  const client_id = await post('/api/clients', { organization_id, name: 'Nordwind Outdoor' });
  const brandId = await post('/api/brands', {
    organization_id,
    client_id,
    name: 'Nordwind',
    tracking_policy: 'everyone',
  });
  const campaignId = await post('/api/campaigns', { organization_id, brand_id: brandId, name: 'Spring' });
  const filterId = await post('/api/filters', { organization_id, name: 'Everybody' });
  const templateId = await post(`/api/content/${organization_id}/templates`, {
    title: 'Spring',
    mjml: fixtureMjml,
  });
  const touchpointId = await post('/api/touchpoints', {
    organization_id,
    campaign_id: campaignId,
    name: 'Newsletter',
    type: 'email',
  });
  const changed = await app.request('PATCH', `/api/touchpoints/${touchpointId}/email`, {
    body: {
      filter_id: filterId,
      template_id: templateId,
      subject: 'News for {{ contact.first_name }}',
      from_email: 'news@nordwind.example',
    },
    as: person,
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return { organizationId: organization_id, brandId, campaignId, touchpointId, filterId, templateId };
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
