import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { newToken } from '../platform/secrets.ts';
import { buildDomain } from '../sample/domains.ts';
import { buildBrand, buildCampaign, buildClient, buildFilter, buildTouchpoint } from '../sample/records.ts';
import { buildPlayedSend } from '../sample/sends.ts';
import { buildSignUpForm } from '../sample/sign-ups.ts';
import { buildBranchContent, type BranchContent } from './branch-content.ts';
import { sent } from './delivery-results.ts';
import { rowsOf } from './rows-of.ts';
import { buildVisit, foldVisits, storeVisits } from '../sample/events.ts';

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
  touchpointEventId: string;
  eventListenerId: string;
  reactionId: string;
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
// oxlint-disable-next-line max-lines-per-function -- a flat list: one table after the other
export async function buildBranch(
  owner: Database,
  { organization_id, marker = randomUUID().slice(0, 8) }: { organization_id: string; marker?: string },
): Promise<TenantBranch> {
  const at = new Date().toISOString();
  const { id: client_id } = await buildClient(owner, { organization_id, name: `Client ${marker}` });
  const { id: brand_id } = await buildBrand(owner, { client_id, name: `Brand ${marker}` });
  const ofBrand = { organization_id, client_id, brand_id };
  const content = await buildBranchContent(owner, ofBrand, marker);
  const { collection, itemId: contact_id } = content;
  const { id: campaign_id } = await buildCampaign(owner, { brand_id, name: `Campaign ${marker}` });
  const { id: filterId } = await buildFilter(owner, {
    ...ofBrand,
    name: `Audience ${marker}`,
    collection,
    field_mapping: JSON.stringify({ email: 'email', unsubscribed: null }),
  });
  const { id: touchpoint_id } = await buildTouchpoint(owner, {
    campaign_id,
    collection,
    name: `Touchpoint ${marker}`,
    email: {
      filter_id: filterId,
      subject: `News ${marker}`,
      preheader: marker,
      from_name: marker,
      from_email: `news@${marker}.example`,
    },
  });
  const { id: send_id } = await buildPlayedSend(owner, {
    touchpoint_id,
    item_id: contact_id,
    occurrence_at: at,
    status: 'completed',
    end_date: at,
    content: {
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
    },
    recipients: [{ contact_id, address: `ada@${marker}.example`, variables: {} }],
    exclusions: [{ contact_id: newId(), address: `cleo@${marker}.example`, reason: 'unsubscribed' }],
    results: [{ ...sent(1, { at }), reply: `250 ${marker}` }],
  });
  const { id: domainId } = await buildDomain(owner, {
    ...ofBrand,
    domain: `${marker}.example`,
    destination: `https://${marker}.example`,
    status: 'verified',
    checks: () => ({ state: 'pass' }),
    campaign_ids: [campaign_id],
  });
  const topicId = newId();
  const of = { ...ofBrand, campaign_id, touchpoint_id, collection, contact_id, topic_id: topicId };
  const insert = rowsOf(owner, of);
  await insert('complaint_limits', { domain: `${marker}.example`, action: 'warn' });
  await insert('topics', { id: topicId, name: `Topic ${marker}`, is_default: true, position: 1 });
  return {
    ...content,
    clientId: client_id,
    brandId: brand_id,
    campaignId: campaign_id,
    touchpointId: touchpoint_id,
    filterId,
    topicId,
    sendId: send_id,
    domainId,
    ...(await buildContactDetails(insert, marker)),
    ...(await buildChoices(insert, { brand_id, send_id, marker, at })),
    // Before the fold, so that its conversion is folded.
    ...(await buildSendData(rowsOf(owner, { ...of, send_id, subject_id: send_id, seq: 1 }), {
      touchpoint_id,
      marker,
      at,
    })),
    ...(await buildTouchpointData(owner, insert, { organization_id, touchpoint_id, marker, at })),
    signUpFormId: await buildSignUpForm(
      owner,
      {
        organization_id,
        brand_id,
        collection,
        name: `Form ${marker}`,
        content: { title: `Letters ${marker}`, consent_text: `I want letters ${marker}` },
      },
      [{ confirmed_at: at, contact_id }, {}].map((signUp) => ({
        address: `ada@${marker}.example`,
        ...signUp,
      })),
    ),
    ...(await buildGraph(insert, { touchpoint_id, marker, at })),
    marker,
  };
}

type Insert = ReturnType<typeof rowsOf>;

interface Texts {
  marker: string;
  at: string;
}

async function buildContactDetails(insert: Insert, marker: string) {
  const [clientAddressId, clientContactId, clientSocialId] = [newId(), newId(), newId()];
  await insert('client_addresses', {
    id: clientAddressId,
    line1: `${marker} 1`,
    city: 'Berlin',
    country_id: 'DE',
  });
  await insert('client_contacts', {
    id: clientContactId,
    contact_type_id: 'general',
    full_name: `Contact ${marker}`,
    email: `ceo@${marker}.example`,
  });
  await insert('client_socials', { id: clientSocialId, network: 'x', url: `https://x.example/${marker}` });
  return { clientAddressId, clientContactId, clientSocialId };
}

/** What people have chosen about the brand, and what they have asked for. */
async function buildChoices(
  insert: Insert,
  { brand_id, send_id, marker, at }: Texts & { brand_id: string; send_id: string },
): Promise<{ dataRequestId: string }> {
  const dataRequestId = newId();
  const address_key = `dora@${marker}.example`;
  const choice = { address_key, source: 'preferences' as const };
  await insert('choices', {
    kind: 'suppression',
    topic_id: null,
    address_key: `bob@${marker}.example`,
    value: 'manual',
  });
  await insert('resubscriptions', {
    id: newId(),
    address_key: `cleo@${marker}.example`,
    reason: 'unsubscribe',
    basis: `Asked ${marker}`,
  });
  await insert('choices', { kind: 'topic', ...choice, value: 'subscribed' });
  await insert('choices', { kind: 'pause', topic_id: null, value: 'paused', ...choice, until: at });
  await insert('choices', { kind: 'tracking', topic_id: null, ...choice, value: 'allowed' });
  await insert('data_requests', {
    id: dataRequestId,
    kind: 'erasure',
    state: 'waiting',
    confirmed_at: at,
    send_id,
    seq: 1,
    address_key,
    language: 'en',
  });
  await insert('data_request_records', {
    request_id: dataRequestId,
    list: 'contacts',
    position: 1,
    record: `{"email":"${address_key}"}`,
  });
  await insert('erased_addresses', { address_hash: newId().padEnd(43, '-') });
  await insert('suppression_lifts', {
    id: newId(),
    brand_ids: [brand_id],
    basis: `The mail server was wrong ${marker}`,
    total_count: 1,
  });
  return { dataRequestId };
}

/**
 * A schedule, and a website with a visitor who was on it and is on it again, and with a conversion that waits to be folded.
 */
async function buildTouchpointData(
  owner: Database,
  insert: Insert,
  { organization_id, touchpoint_id, marker, at }: Texts & { organization_id: string; touchpoint_id: string },
): Promise<{ scheduleId: string }> {
  const scheduleId = newId();
  await insert('touchpoint_schedules', {
    id: scheduleId,
    start_date: at,
    time_zone: 'Europe/Berlin',
    is_active: false,
  });
  await insert('touchpoint_websites', { id: newId(), hosts: [`${marker}.example`], token: newToken() });
  const website = { organizationId: organization_id, touchpointId: touchpoint_id };
  const visitorId = randomUUID();
  const visit = () => buildVisit(website, { visitorId, path: `/${marker}`, clientAt: new Date(0) });
  await storeVisits(owner, [visit()]);
  await foldVisits(owner, website);
  await storeVisits(owner, [visit()]);
  await insert('conversion_changes', { goal_id: newId(), at, count: 1, value: 5, attributed: 0 });
  const day = at.slice(0, 10);
  await insert('website_drops', { day, reason: 'host', count: 1, last_at: at });
  await insert('website_use', { day, events: 1, bytes: 300 });
  return { scheduleId };
}

/** An event of the email that is switched off, the email itself that reacts to it, and what waits until it is switched on. */
async function buildGraph(
  insert: Insert,
  { touchpoint_id, marker, at }: Texts & { touchpoint_id: string },
): Promise<{ touchpointEventId: string; eventListenerId: string; reactionId: string }> {
  const [touchpointEventId, eventListenerId, reactionId] = [newId(), newId(), newId()];
  await insert('touchpoint_events', {
    id: touchpointEventId,
    event_type: 'CLICK',
    event: `*${marker}*`,
    notifier_touchpoint_id: touchpoint_id,
    touchpoint_event_action_id: '0190a000-0000-7000-8000-000000000001',
    collection: null,
  });
  await insert('touchpoint_event_listeners', {
    id: eventListenerId,
    touchpoint_event_id: touchpointEventId,
    listener_touchpoint_id: touchpoint_id,
  });
  await insert('reactions', {
    id: reactionId,
    touchpoint_event_id: touchpointEventId,
    listener_id: eventListenerId,
    action: 'send_email',
    cause_type: 'CLICK',
    cause_at: at,
    cause_touchpoint_id: touchpoint_id,
    cause_detail: `https://shop.${marker}.example/`,
    due_at: 'infinity',
  });
  return { touchpointEventId, eventListenerId, reactionId };
}

/** What became of the message: it was opened, its link was followed, and it led to a conversion. */
async function buildSendData(
  insert: Insert,
  { touchpoint_id, marker, at }: Texts & { touchpoint_id: string },
): Promise<{ messageId: string; goalId: string }> {
  const [messageId, goalId] = [newId(), newId()];
  for (const [type, link_no] of [
    ['OPEN_EMAIL', null],
    ['CLICK', 0],
  ] as const) {
    const event = () => ({ id: newId(), type, link_no, at });
    await insert('events', event());
    await insert('unfolded_message_events', { ...event(), is_bot: true, is_first_only: false });
    await insert(
      'delivery_event_counts',
      ...[...new Set([-1, link_no ?? -1])].map((counted) => ({
        type,
        link_no: counted,
        human_count: 1,
        bot_count: 0,
        first_human_at: at,
      })),
    );
    const running_counts = sql<number[]>`to_running_counts(array[0], array[1::bigint])`;
    await insert('counts', { dimension: type, value: 'unique', day: at.slice(0, 10), running_counts });
  }
  await insert('click_reviews', { first_at: at });
  await insert('conversion_goals', { id: goalId, event: `Order ${marker}`, value: 5, window_days: 7 });
  const visit = { visitor_id: randomUUID(), at, email_touchpoint_id: touchpoint_id };
  await insert('followed_links', visit);
  await insert('conversions', {
    ...visit,
    event_id: randomUUID(),
    goal_id: goalId,
    window_days: 7,
    value: 5,
  });
  await insert('visitor_contacts', { visitor_id: newId(), bound_at: at });
  await insert('delivery_queue', { kind: 'deferred', attempts: 1 });
  await insert('messages', { id: messageId });
  await insert('mailbox_messages', {
    id: messageId,
    recipient: `ada@${marker}.example`,
    sender: `news@${marker}.example`,
    subject: `News ${marker}`,
    raw: Buffer.from(`Subject: News ${marker}\r\n\r\nHello\r\n`),
    received_at: at,
  });
  return { messageId, goalId };
}
