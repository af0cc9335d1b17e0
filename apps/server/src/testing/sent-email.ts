import type { EmailSnapshot } from '../email/email-content.ts';
import type { Database, Row } from '../platform/database/database.ts';
import { buildSend } from '../sample/records.ts';
import { insertRows } from '../sample/rows.ts';
import { indexContacts } from '../sample/sends.ts';
import { updateRows } from './rows.ts';

export const emailSnapshot: EmailSnapshot = {
  version: 1,
  content_hash: '0'.repeat(64),
  from_name: 'Nordwind',
  from_email: 'news@nordwind.example',
  reply_to: null,
  subject: 'Hello {{ contact.first_name }}',
  preheader: '',
  html: `<p>Hello {{ contact.first_name }}</p><a href="{{ links.click_0 }}">Shop</a> <a href="{{ links.click_1 }}">Yours</a>
<a href="{{ links.click_2 }}">About</a> <a href="{{ links.unsubscribe }}">Unsubscribe</a> <a href="{{ links.preferences }}">Preferences</a>
<a href="{{ links.view_in_browser }}">View</a>{{ links.pixel }}`,
  text: 'Hello {{ contact.first_name }} {{ links.click_0 }} {{ links.unsubscribe }}',
  links: [
    { url: 'https://shop.example/spring?utm_source=mail', personal: false },
    { url: 'https://shop.example/for/{{ contact.code | url_encode }}', personal: true },
    { url: 'https://shop.example/about', personal: false },
  ],
  contact_fields: ['first_name', 'code'],
  context: {},
};

export interface SentEmail {
  organizationId: string;
  touchpointId: string;
  sendId: string;
  sendNumber: number;
  brandId: string;
}

/** Builds a send whose messages are all accepted, for tests of tokens, mailbox and statistics. */
export async function buildSentEmail(
  owner: Database,
  given: {
    organizationId?: string;
    touchpointId?: string;
    brandName?: string;
    addresses?: string[];
    snapshot?: Partial<EmailSnapshot>;
    variables?: Record<string, unknown>;
  } = {},
): Promise<SentEmail> {
  const addresses = given.addresses ?? ['mia@example.org'];
  const send = await buildSend(owner, {
    ...(given.organizationId === undefined ? {} : { organization_id: given.organizationId }),
    ...(given.touchpointId === undefined ? {} : { touchpoint_id: given.touchpointId }),
    status: 'completed',
    recipients_total_count: addresses.length,
    recipients_total_sent_count: addresses.length,
    recipients_accepted_count: addresses.length,
  });
  if (given.brandName !== undefined)
    await updateRows(owner, 'brands', { id: send.brand_id }, { name: given.brandName });
  const place = { organization_id: send.organization_id, send_id: send.id };
  await insertRows(owner, 'touchpoint_send_contents', {
    ...place,
    content: JSON.stringify({ ...emailSnapshot, ...given.snapshot }),
    audience: JSON.stringify({
      collection: 'contacts',
      field_mapping: { email: 'email', unsubscribed: null },
    }),
  });
  const variables = JSON.stringify(given.variables ?? { first_name: 'Mia', code: 'a&b' });
  await insertRows(
    owner,
    'deliveries',
    addresses.map((address, index) => ({
      ...place,
      seq: index + 1,
      contact_id: `contact-${index + 1}`,
      address,
      variables,
    })),
  );
  await indexContacts(owner, place.organization_id, place.send_id);
  return {
    organizationId: send.organization_id,
    touchpointId: send.touchpoint_id,
    sendId: send.id,
    sendNumber: send.send_number,
    brandId: send.brand_id,
  };
}

/** Stores the result of each message of a send: that of the first one is the first state. @param atOf  ISO 8601 */
export async function storeResults(
  owner: Database,
  { organizationId: organization_id, sendId: send_id }: Pick<SentEmail, 'organizationId' | 'sendId'>,
  states: readonly Row<'delivery_results'>['state'][],
  atOf: (index: number) => string,
): Promise<void> {
  const rows = states.map((state, index) => {
    const at = atOf(index);
    const accepted_at = state === 'sent' ? at : null;
    return { organization_id, send_id, seq: index + 1, state, attempts: 1, at, accepted_at };
  });
  await insertRows(owner, 'delivery_results', rows);
}
