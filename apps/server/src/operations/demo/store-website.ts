import { campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import type { MessageEvent, VisitorEvent } from '../../events/event.ts';
import { recordConversions } from '../../insight/conversions/record-conversions.ts';
import { bindVisitors } from '../../insight/tracking/bind-visitors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newIdAt } from '../../platform/ids.ts';
import { createRandom } from '../../platform/random.ts';
import { buildEvents, countUse } from '../../sample/events.ts';
import { buildCampaign, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { inventVisits, names, websiteBrand, type FollowedLink, type Visit } from './invent-visits.ts';
import type { Place } from './make-records.ts';
import { monthMs } from './plan-emails.ts';
import { plots } from './story/story.ts';

/** Of its own, so that the emails of the demo stay as they are. */
const seed = 20_261_128;
/** The website is as old as its history. */
const months = 14;
/** Events per statement. */
const batchSize = 5_000;

/** Stores an active website with the visits of its 14 months, also those that followed links of emails. */
export async function storeWebsite(
  trx: Transaction,
  place: Place,
  brandId: string,
  links: readonly FollowedLink[],
): Promise<void> {
  const { story, organizationId, now } = place;
  const { domain } = plots[websiteBrand];
  const createdAt = new Date(now.getTime() - months * monthMs);
  const touchpointId = newIdAt(createdAt);
  const since = { created_at: createdAt.toISOString(), updated_at: createdAt.toISOString() };
  const { id: campaign_id, organization_id } = await buildCampaign(trx, {
    id: newIdAt(createdAt),
    brand_id: brandId,
    name: story.website.campaign,
    status: campaignStatusFrom([{ type: 'website', status: 'active' }]),
    ...since,
  });
  await buildTouchpoint(trx, {
    id: touchpointId,
    campaign_id,
    name: story.website.name,
    type: 'website',
    status: 'active',
    website: { hosts: [domain, `*.${domain}`] },
    ...since,
  });
  const goals = [
    { id: newIdAt(createdAt), event: names.order, value: null, window_days: 7 },
    { id: newIdAt(createdAt), event: names.signUp, value: null, window_days: 30 },
  ];
  await insertRows(
    trx,
    'conversion_goals',
    goals.map((goal) => ({ ...goal, organization_id, touchpoint_id: touchpointId, ...since })),
  );
  const visits = inventVisits(place, createdAt, links, createRandom(seed));
  const effects = [bindVisitors, recordConversions];
  for (let from = 0; from < visits.length; from += batchSize) {
    const batch = visits.slice(from, from + batchSize);
    const events = batch.map((visit) => toVisitorEvent({ organizationId, touchpointId }, goals, visit));
    await countUse(trx, { organizationId, touchpointId }, events, now);
    await buildEvents(
      trx,
      organizationId,
      [
        ...events,
        ...batch.flatMap(({ link, at }) => (link === null ? [] : [toMessageEvent(organizationId, link, at)])),
      ],
      effects,
    );
  }
}

const toVisitorEvent = (
  key: Pick<VisitorEvent, 'organizationId' | 'touchpointId'>,
  goals: readonly { id: string; event: string; window_days: number }[],
  { link, value, ...visit }: Visit,
): VisitorEvent => {
  const goal = goals.find(({ event }) => event === visit.name);
  return {
    ...key,
    ...visit,
    id: newIdAt(visit.at),
    subject: 'visitor',
    message: link === null ? null : { sendId: link.sendId, seq: link.seq },
    conversion: goal === undefined ? null : { goalId: goal.id, windowDays: goal.window_days, value },
  };
};

/** @returns what the message of a link gets when its page is visited */
const toMessageEvent = (
  organizationId: string,
  { touchpointId, sendId, seq, userAgent, ipPrefix }: FollowedLink,
  at: Date,
): MessageEvent => ({
  organizationId,
  touchpointId,
  sendId,
  seq,
  id: newIdAt(at),
  subject: 'message',
  type: 'VISIT',
  linkNo: null,
  at,
  isBot: false,
  userAgent,
  ipPrefix,
});
