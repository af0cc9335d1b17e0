import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import { audienceVersion } from '../contacts/audiences/audience.ts';
import { compileEmail } from '../email/templates/compile-email.ts';
import type { EmailContent, EmailSnapshot } from '../email/email-content.ts';
import { execute, type Database } from '../platform/database/database.ts';
import { notifyWorkers } from '../platform/database/notify.ts';
import { newId } from '../platform/ids.ts';
import { buildCampaign, buildSend, buildTouchpoint } from '../sample/records.ts';
import { insertRows } from '../sample/rows.ts';
import { getRow } from './rows.ts';

export interface SendFixture {
  organizationId: string;
  touchpointId: string;
  brandId: string;
  sendId: string;
}

export const fixtureMjml = `<mjml><mj-body><mj-section><mj-column>
<mj-text>Hello {{ contact.first_name | default: "there" }} {{ contact.last_name }}</mj-text>
<mj-button href="https://shop.example/spring">See the offers</mj-button>
<mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`;

export const fixtureContent: EmailContent = {
  subject: 'News for {{ contact.first_name }}',
  preheader: '',
  from_name: 'Nordwind',
  from_email: 'news@nordwind.example',
  reply_to: null,
  mjml: fixtureMjml,
};

/**
 * Builds a confirmed send that is due, with its contacts in the content backend: user1@sink.example,
 * user2@sink.example, …
 * @param owner logs in as the owner of the tables
 */
export async function buildDueSend(
  owner: Database,
  options: {
    contacts: number;
    content?: EmailContent;
    snapshot?: EmailSnapshot;
    uncertain_policy?: UncertainPolicy;
    /** Domains of the addresses, used round robin; default: sink.example. */
    domains?: string[];
    /** Of the email: one that is sent to those who have chosen nothing. */
    hasTopic?: boolean;
  },
): Promise<SendFixture> {
  const { id: campaign_id } = await buildCampaign(owner, { status: 'scheduled' });
  const touchpoint = await buildTouchpoint(owner, { campaign_id, status: 'scheduled' });
  const { organization_id: organizationId, id: touchpointId } = touchpoint;
  const { brand_id: brandId } = await getRow(owner, 'campaigns', '*', { id: touchpoint.campaign_id });
  await addContacts(owner, organizationId, options.contacts, options.domains);
  const context = { brand: { id: brandId, name: 'Nordwind' }, organization: { name: 'Agency' } };
  const sendId = newId();
  const topicId = options.hasTopic === true ? newId() : null;
  if (topicId !== null)
    await insertRows(owner, 'topics', {
      id: topicId,
      organization_id: organizationId,
      brand_id: brandId,
      name: 'News',
      is_default: true,
      position: 1,
    });
  const content = options.snapshot ?? (await renderSnapshot(options.content ?? fixtureContent, context));
  // In one transaction: otherwise a worker could find a send without its content.
  await owner.transaction().execute(async (trx) => {
    await buildSend(trx, {
      id: sendId,
      touchpoint_id: touchpointId,
      topic_id: topicId,
      uncertain_policy: options.uncertain_policy ?? 'retry',
    });
    await insertRows(trx, 'touchpoint_send_contents', {
      organization_id: organizationId,
      send_id: sendId,
      content: JSON.stringify(content),
      audience: JSON.stringify({
        version: audienceVersion,
        source: {},
        collection: 'contacts',
        rule: { kind: 'all', nodes: [] },
        field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
        brandId,
        topicId,
      }),
    });
    await notifyWorkers(trx);
  });
  return { organizationId, touchpointId, brandId, sendId };
}

async function renderSnapshot(
  content: EmailContent,
  context: Record<string, unknown>,
): Promise<EmailSnapshot> {
  const compiled = await compileEmail(content, context, 'tests');
  if (!compiled.ok) throw new Error(`The fixture does not compile: ${JSON.stringify(compiled.problems)}`);
  return compiled.snapshot;
}

export async function addContacts(
  owner: Database,
  organizationId: string,
  count: number,
  domains = ['sink.example'],
): Promise<void> {
  await execute(owner)`
    insert into content_items (organization_id, collection, id, data)
    select ${organizationId}::uuid, 'contacts', 'contact-' || lpad(i::text, 9, '0'),
      jsonb_build_object('email', 'user' || i || '@' || (${domains}::text[])[i % ${domains.length}::int + 1], 'first_name', 'Jürgen' || i, 'last_name', 'Müller', 'unsubscribed', false)
    from generate_series(1, ${count}::int) i
  `;
}

/** Makes all deferred messages of a send due. */
export async function letQueuedBeDue(owner: Database, sendId: string): Promise<void> {
  await owner.transaction().execute(async (trx) => {
    // In the order of the worker's locks.
    await execute(trx)`update touchpoint_sends set next_due_at = now() where id = ${sendId}`;
    await execute(trx)`
      update delivery_queue set due_at = now()
      where send_id = ${sendId} and due_at is not null and worker_id is null`;
    await notifyWorkers(trx);
  });
}
