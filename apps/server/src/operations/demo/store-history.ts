import { campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import { createSchedule } from '../../delivery/schedules/create-schedule.ts';
import { allTogether } from '../../delivery/schedules/send-times.ts';
import { proposeSend } from '../../delivery/sends/start-send.ts';
import type { MessageEvent } from '../../events/event.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { newIdAt } from '../../platform/ids.ts';
import { buildEvents, reviewEvents } from '../../sample/events.ts';
import { buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { compileEmails, contentOf, type PlacedEmail } from './compile-emails.ts';
import { waitWithin } from './demo.queries.ts';
import { websiteBrand, type FollowedLink } from './invent-visits.ts';
import type { Place } from './make-records.ts';
import { dayMs, type Fate, type PlannedEmail } from './plan-emails.ts';
import type { OptOuts } from './play-send.ts';
import { sendOnRequest } from './send-on-request.ts';
import { storeGraph } from './store-graph.ts';
import { storeSend, type History } from './store-send.ts';
import { topicOf } from './store-topics.ts';

/** Emails are created this long before they are sent. */
const writtenMs = 3 * dayMs;
/** Events per statement. */
const eventBatch = 3_000;

/**
 * Stores all campaigns and simulates their sends in order, each with the opt-outs of the previous ones.
 * @returns the campaigns by time, and the clicks that lead to the website
 */
export async function storeHistory(
  trx: Transaction,
  place: Place,
  history: History,
): Promise<{ campaigns: Row<'campaigns'>[]; links: FollowedLink[] }> {
  const placed = history.emails.map((email) => ({
    ...email,
    touchpointId: newIdAt(writtenAt(email, place.now)),
  }));
  const groups = Map.groupBy(placed, ({ brand, campaign }) => `${brand} ${campaign}`);
  const emails = [...groups.values()]
    .flatMap((group): PlacedEmail[] => {
      const campaignId = newIdAt(writtenAt(group[0]!, place.now));
      return group.map((email) => ({ ...email, campaignId }));
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const snapshots = compileEmails(place, history.brands, emails);
  const campaigns: Row<'campaigns'>[] = [];
  for (const group of Map.groupBy(emails, ({ campaignId }) => campaignId).values())
    campaigns.push(await storeCampaign(trx, place, history, group));
  const optOuts: OptOuts = { suppressed: new Map(), unsubscribed: new Map() };
  let events: MessageEvent[] = [];
  const links: FollowedLink[] = [];
  const flush = async () => {
    await buildEvents(trx, place.organizationId, events);
    events = [];
  };
  for (const email of emails) {
    if (email.fate === 'scheduled') await waitWithin(trx, scheduleEmail(trx, place, email));
    if (email.fate === 'on_request') await waitWithin(trx, sendOnRequest(trx, place, email, history.people));
    const compiled = snapshots.get(email.touchpointId);
    if (compiled === undefined) continue;
    const content = await waitWithin(trx, compiled);
    const stored = await storeSend(trx, place, history, { email, content, optOuts });
    events.push(...stored.events);
    if (email.brand === websiteBrand) links.push(...stored.links);
    if (events.length >= eventBatch) await flush();
  }
  await flush();
  await reviewEvents(trx);
  await storeGraph(trx, place.organizationId, emails);
  return { campaigns, links };
}

const writtenAt = ({ at }: PlannedEmail, now: Date): Date =>
  new Date(Math.min(at.getTime(), now.getTime()) - writtenMs);

const touchpointStatuses = {
  sent: 'sent',
  running: 'sending',
  paused: 'paused',
  // Becomes scheduled with its schedule.
  scheduled: 'draft',
  // Becomes active when it is switched on.
  on_request: 'draft',
  draft: 'draft',
} as const satisfies Record<Fate, TouchpointStatus>;

/** @param emails  of the campaign, by time */
async function storeCampaign(
  trx: Transaction,
  place: Place,
  { brands, topics }: History,
  emails: readonly PlacedEmail[],
): Promise<Row<'campaigns'>> {
  const { organizationId: organization_id, story, now } = place;
  const { brand, campaignId, campaign: name } = emails[0]!;
  const { kit, filterId, templateId } = brands[brand];
  const touchpoints = emails.map((email) => ({
    id: email.touchpointId,
    name: email.name,
    type: 'email' as const,
    status: touchpointStatuses[email.fate],
    created_at: writtenAt(email, now).toISOString(),
    updated_at: (email.at < now ? email.at : new Date(now.getTime() - dayMs)).toISOString(),
    email: {
      ...contentOf(place, brands, email),
      filter_id: filterId,
      template_id: templateId,
      topic_id: topicOf(story, topics, email),
    },
  }));
  const campaign = await buildCampaign(trx, {
    organization_id,
    id: campaignId,
    brand_id: kit.id,
    name,
    status: campaignStatusFrom(touchpoints),
    created_at: touchpoints[0]!.created_at,
    updated_at: touchpoints
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .at(-1)!,
  });
  for (const { email, ...touchpoint } of touchpoints)
    await buildTouchpoint(trx, {
      ...touchpoint,
      campaign_id: campaign.id,
      email: { ...email, updated_at: touchpoint.updated_at },
    });
  return campaign;
}

/** Confirms an email for its date, as a member does. */
async function scheduleEmail(
  trx: Transaction,
  { userId, setup }: Place,
  { touchpointId, at, rrule }: PlacedEmail,
): Promise<void> {
  const proposal = await proposeSend(
    { userId, transaction: (work) => work(trx) },
    touchpointId,
    'campaign',
    setup,
  );
  await createSchedule(trx, proposal, {
    time: { start_date: at.toISOString(), time_zone: 'Europe/Berlin', rrule: rrule ?? null, ...allTogether },
    userId,
    uncertainPolicy: undefined,
    expectedRecipients: undefined,
    expectedFilterId: undefined,
    sendsSampleContent: true,
    policies: setup.policies,
  });
}
