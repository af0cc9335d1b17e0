import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import type { Database } from '../platform/database/database.ts';
import { buildBranchContent, type BranchContent } from './branch-content.ts';
import { newId } from '../platform/ids.ts';
import { newToken } from '../platform/secrets.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildFilter,
  buildSend,
  buildTouchpoint,
} from '../sample/records.ts';
import { insertRows } from '../sample/rows.ts';
import { indexContacts } from './sent-email.ts';
import { buildVisit, foldVisits, storeVisits } from './visitor-events.ts';

/** A client and everything that belongs to it. */
export interface TenantBranch extends BranchContent {
  clientId: string;
  brandId: string;
  campaignId: string;
  touchpointId: string;
  filterId: string;
  topicId: string;
  sendId: string;
  scheduleId: string;
  goalId: string;
  domainId: string;
  /** Id of a single message, and of its copy in the mailbox. */
  messageId: string;
  dataRequestId: string;
  signUpFormId: string;
  clientAddressId: string;
  clientContactId: string;
  clientSocialId: string;
  /** Part of every text of the branch. */
  marker: string;
}

/**
 * Builds at least one row in every table below clients, for an email whose only send has ended.
 * @param marker  part of every text of the branch, in lower case letters and digits, so that leaks can be found
 */
export async function buildBranch(
  owner: Database,
  { organization_id, marker = randomUUID().slice(0, 8) }: { organization_id: string; marker?: string },
): Promise<TenantBranch> {
  const client = await buildClient(owner, { organization_id, name: `Client ${marker}` });
  const brand = await buildBrand(owner, { client_id: client.id, name: `Brand ${marker}` });
  const of = { organization_id, client_id: client.id, brand_id: brand.id };
  const content = await buildBranchContent(owner, { ...of, marker });
  const campaign = await buildCampaign(owner, { brand_id: brand.id, name: `Campaign ${marker}` });
  const filter = await buildFilter(owner, {
    ...of,
    name: `Audience ${marker}`,
    collection: content.collection,
    field_mapping: JSON.stringify({ email: 'email', unsubscribed: null }),
  });
  const touchpoint = await buildTouchpoint(owner, {
    campaign_id: campaign.id,
    collection: content.collection,
    name: `Touchpoint ${marker}`,
    email: {
      filter_id: filter.id,
      subject: `News ${marker}`,
      preheader: marker,
      from_name: marker,
      from_email: `news@${marker}.example`,
    },
  });
  await insertRows(owner, 'touchpoint_websites', {
    id: newId(),
    organization_id,
    touchpoint_id: touchpoint.id,
    hosts: [`${marker}.example`],
    token: newToken(),
  });
  const send = await buildSend(owner, {
    touchpoint_id: touchpoint.id,
    item_id: content.itemId,
    occurrence_at: new Date().toISOString(),
    status: 'completed',
    end_date: new Date().toISOString(),
    recipients_total_count: 1,
    recipients_total_sent_count: 1,
    recipients_accepted_count: 1,
  });
  const scheduleId = newId();
  await insertRows(owner, 'touchpoint_schedules', {
    organization_id,
    id: scheduleId,
    touchpoint_id: touchpoint.id,
    brand_id: brand.id,
    start_date: new Date().toISOString(),
    time_zone: 'Europe/Berlin',
    is_active: false,
  });
  const goalId = await buildConversion(
    owner,
    { organization_id, touchpoint_id: touchpoint.id },
    send.id,
    marker,
  );
  const topicId = newId();
  await insertRows(owner, 'topics', {
    id: topicId,
    organization_id,
    brand_id: brand.id,
    name: `Topic ${marker}`,
    is_default: true,
    position: 1,
  });
  const domainId = await buildDomain(owner, {
    organization_id,
    client_id: client.id,
    brand_id: brand.id,
    campaign_id: campaign.id,
    domain: `${marker}.example`,
  });
  const ids = {
    organization_id,
    send_id: send.id,
    touchpoint_id: touchpoint.id,
    brand_id: brand.id,
    client_id: client.id,
    topic_id: topicId,
    collection: content.collection,
    contact_id: content.itemId,
    marker,
  };
  return {
    ...content,
    clientId: client.id,
    brandId: brand.id,
    campaignId: campaign.id,
    touchpointId: touchpoint.id,
    filterId: filter.id,
    topicId,
    sendId: send.id,
    scheduleId,
    goalId,
    domainId,
    ...(await buildContactDetails(owner, ids)),
    ...(await buildSendData(owner, ids)),
    signUpFormId: await buildSignUps(owner, ids),
    marker,
  };
}

/** A verified domain that a campaign is linked to. */
async function buildDomain(
  owner: Database,
  of: { organization_id: string; client_id: string; brand_id: string; campaign_id: string; domain: string },
): Promise<string> {
  const { campaign_id, ...row } = of;
  const { organization_id, domain } = row;
  const id = newId();
  await insertRows(owner, 'sending_domains', {
    ...row,
    id,
    destination: `https://${domain}`,
    status: 'verified',
  });
  await insertRows(
    owner,
    'sending_domain_checks',
    domainCheckKinds.map((kind) => ({ organization_id, domain_id: id, kind, state: 'pass' })),
  );
  await insertRows(owner, 'campaign_domains', { organization_id, id: newId(), campaign_id, domain_id: id });
  return id;
}

async function buildContactDetails(
  owner: Database,
  { organization_id, client_id, marker }: { organization_id: string; client_id: string; marker: string },
) {
  const [clientAddressId, clientContactId, clientSocialId] = [newId(), newId(), newId()];
  const of = { organization_id, client_id };
  await insertRows(owner, 'client_addresses', {
    ...of,
    id: clientAddressId,
    line1: `${marker} 1`,
    city: 'Berlin',
    country_id: 'DE',
  });
  await insertRows(owner, 'client_contacts', {
    ...of,
    id: clientContactId,
    contact_type_id: 'general',
    full_name: `Contact ${marker}`,
    email: `ceo@${marker}.example`,
  });
  await insertRows(owner, 'client_socials', {
    ...of,
    id: clientSocialId,
    network: 'x',
    url: `https://x.example/${marker}`,
  });
  return { clientAddressId, clientContactId, clientSocialId };
}

async function buildSendData(
  owner: Database,
  ids: {
    organization_id: string;
    send_id: string;
    touchpoint_id: string;
    brand_id: string;
    topic_id: string;
    collection: string;
    contact_id: string;
    marker: string;
  },
): Promise<{ messageId: string; dataRequestId: string }> {
  const { organization_id, send_id, touchpoint_id, brand_id, topic_id, collection, contact_id, marker } = ids;
  const at = new Date().toISOString();
  const address = `ada@${marker}.example`;
  const delivery = { organization_id, send_id, seq: 1 };
  await insertRows(owner, 'touchpoint_send_contents', {
    organization_id,
    send_id,
    content: JSON.stringify({
      from_name: marker,
      from_email: `news@${marker}.example`,
      reply_to: null,
      subject: `News of ${marker}`,
      preheader: '',
      html: '<p>News</p>',
      text: 'News',
      links: [{ url: `https://shop.${marker}.example/`, personal: false }],
      contact_fields: [],
      context: {},
    }),
    audience: JSON.stringify({}),
  });
  await insertRows(owner, 'deliveries', { ...delivery, contact_id, address, variables: JSON.stringify({}) });
  await indexContacts(owner, organization_id, send_id);
  await insertRows(owner, 'delivery_exclusions', {
    ...delivery,
    contact_id: newId(),
    address: `cleo@${marker}.example`,
    reason: 'unsubscribed',
  });
  await insertRows(owner, 'delivery_chunks', {
    organization_id,
    send_id,
    first_seq: 1,
    last_seq: 1,
    marked_up_to: 1,
    done: true,
  });
  await insertRows(owner, 'delivery_results', {
    ...delivery,
    state: 'sent',
    attempts: 1,
    reply: `250 ${marker}`,
    at,
    accepted_at: at,
  });
  await insertRows(owner, 'delivery_result_totals', {
    organization_id,
    touchpoint_id,
    send_id,
    at,
    state: 'sent',
    class: '',
    count: 1,
  });
  await insertRows(owner, 'delivery_queue', { ...delivery, kind: 'deferred', attempts: 1 });
  await insertRows(owner, 'suppressions', {
    id: newId(),
    organization_id,
    brand_id,
    address_key: `bob@${marker}.example`,
    reason: 'manual',
  });
  await insertRows(owner, 'resubscriptions', {
    id: newId(),
    organization_id,
    brand_id,
    address_key: `cleo@${marker}.example`,
    reason: 'unsubscribe',
    basis: `Asked ${marker}`,
  });
  const choice = {
    organization_id,
    brand_id,
    address_key: `dora@${marker}.example`,
    source: 'preferences',
  };
  await insertRows(owner, 'topic_choices', { ...choice, topic_id, is_subscribed: true });
  await insertRows(owner, 'pauses', { ...choice, until: at });
  await insertRows(owner, 'tracking_choices', { ...choice, is_allowed: true });
  const dataRequestId = newId();
  await insertRows(owner, 'data_requests', {
    organization_id,
    id: dataRequestId,
    kind: 'erasure',
    state: 'waiting',
    confirmed_at: at,
    brand_id,
    send_id,
    seq: 1,
    address_key: `dora@${marker}.example`,
    language: 'en',
  });
  await insertRows(owner, 'data_request_records', {
    organization_id,
    request_id: dataRequestId,
    list: 'contacts',
    position: 1,
    record: `{"email":"dora@${marker}.example"}`,
  });
  await insertRows(owner, 'erased_addresses', { organization_id, address_hash: newId().padEnd(43, '-') });
  await insertRows(owner, 'suppression_lifts', {
    id: newId(),
    organization_id,
    brand_ids: [brand_id],
    basis: `The mail server was wrong ${marker}`,
    total_count: 1,
  });
  await buildEvents(owner, { ...delivery, touchpoint_id, at });
  await buildVisitors(owner, { organization_id, touchpoint_id, marker });
  await insertRows(owner, 'visitor_contacts', {
    ...delivery,
    touchpoint_id,
    visitor_id: newId(),
    bound_at: at,
    collection,
    contact_id,
  });
  const id = newId();
  await insertRows(owner, 'messages', { ...delivery, id, contact_id });
  await insertRows(owner, 'mailbox_messages', {
    ...delivery,
    id,
    recipient: address,
    sender: `news@${marker}.example`,
    subject: `News ${marker}`,
    raw: Buffer.from(`Subject: News ${marker}\r\n\r\nHello\r\n`),
    received_at: at,
  });
  return { messageId: id, dataRequestId };
}

/** A form with a confirmed sign-up and one that is not. */
async function buildSignUps(
  owner: Database,
  of: { organization_id: string; brand_id: string; collection: string; contact_id: string; marker: string },
): Promise<string> {
  const { contact_id, collection, marker, ...brand } = of;
  const { organization_id, brand_id } = brand;
  const form_id = newId();
  await insertRows(owner, 'sign_up_forms', {
    organization_id,
    brand_id,
    id: form_id,
    collection,
    name: `Form ${marker}`,
    is_active: true,
    confirmed_count: 1,
  });
  await insertRows(owner, 'sign_up_form_versions', {
    organization_id,
    brand_id,
    form_id,
    version: 1,
    form_name: `Form ${marker}`,
    fields: JSON.stringify([]),
    topic_ids: [],
    asks_tracking: false,
    language: 'en',
    title: `Letters ${marker}`,
    consent_text: `I want letters ${marker}`,
  });
  const signUp = {
    organization_id,
    brand_id,
    form_id,
    version: 1,
    collection,
    address: `ada@${marker}.example`,
    address_key: `ada@${marker}.example`,
    field_values: JSON.stringify({}),
    topics: JSON.stringify([]),
  };
  const confirmed_at = new Date().toISOString();
  await insertRows(owner, 'sign_ups', {
    ...signUp,
    id: newId(),
    confirmed_at,
    contact_id,
    contact_state: 'written',
  });
  await insertRows(owner, 'sign_ups', { ...signUp, id: newId() });
  return form_id;
}

/** Stores that a visitor was on a website, and is on it again, and that a conversion waits to be folded. */
async function buildVisitors(
  owner: Database,
  { marker, ...of }: { organization_id: string; touchpoint_id: string; marker: string },
): Promise<void> {
  const website = { organizationId: of.organization_id, touchpointId: of.touchpoint_id };
  const visitorId = randomUUID();
  const visit = () => buildVisit(website, { visitorId, path: `/${marker}`, clientAt: new Date(0) });
  await storeVisits(owner, [visit()]);
  await foldVisits(owner, website);
  await storeVisits(owner, [visit()]);
  await insertRows(owner, 'conversion_changes', {
    ...of,
    goal_id: newId(),
    at: new Date().toISOString(),
    count: 1,
    value: 5,
    attributed: 0,
  });
  await insertRows(owner, 'website_drops', {
    ...of,
    day: new Date().toISOString().slice(0, 10),
    reason: 'host',
    count: 1,
    last_at: new Date().toISOString(),
  });
  await insertRows(owner, 'website_use', {
    ...of,
    day: new Date().toISOString().slice(0, 10),
    events: 1,
    bytes: 300,
  });
}

/** Stores that a person opened the message and followed its link. */
async function buildEvents(
  owner: Database,
  row: { organization_id: string; send_id: string; seq: number; touchpoint_id: string; at: string },
): Promise<void> {
  const { at, ...of } = row;
  const { seq: _, ...ofSend } = of;
  const quarter = new Date(Math.floor(Date.parse(at) / 900_000) * 900_000).toISOString();
  for (const [type, link_no] of [
    ['OPEN_EMAIL', null],
    ['CLICK', 0],
  ] as const) {
    await insertRows(owner, 'events', { ...of, id: newId(), type, link_no, at });
    await insertRows(owner, 'unfolded_message_events', {
      ...of,
      id: newId(),
      type,
      link_no,
      at,
      is_bot: true,
      is_first_only: false,
    });
    for (const counted of new Set([-1, link_no ?? -1]))
      await insertRows(owner, 'delivery_event_counts', {
        ...of,
        type,
        link_no: counted,
        human_count: 1,
        bot_count: 0,
        first_human_at: at,
      });
    await insertRows(owner, 'delivery_event_totals', {
      ...ofSend,
      type,
      at: quarter,
      unique_count: 1,
      human_count: 1,
      bot_count: 0,
    });
    await insertRows(owner, 'delivery_event_sums', {
      ...ofSend,
      type,
      unique_count: 1,
      human_count: 1,
      bot_count: 0,
    });
    const { organization_id, send_id } = of;
    const running_counts = sql<number[]>`to_running_counts(array[0], array[1])`;
    await insertRows(owner, 'delivery_event_days', {
      organization_id,
      send_id,
      type,
      day: at.slice(0, 10),
      running_counts,
    });
  }
}

/** Stores that a message led to a conversion. @returns the id of the goal */
async function buildConversion(
  owner: Database,
  website: { organization_id: string; touchpoint_id: string },
  send_id: string,
  marker: string,
): Promise<string> {
  const goal = { ...website, id: newId(), event: `Order ${marker}`, value: 5, window_days: 7 };
  await insertRows(owner, 'conversion_goals', goal);
  const visit = { ...website, visitor_id: randomUUID(), at: new Date().toISOString() };
  const message = { send_id, seq: 1, email_touchpoint_id: website.touchpoint_id };
  await insertRows(owner, 'followed_links', { ...visit, ...message });
  await insertRows(owner, 'conversions', {
    ...visit,
    ...message,
    event_id: randomUUID(),
    goal_id: goal.id,
    window_days: 7,
    value: 5,
  });
  return goal.id;
}
