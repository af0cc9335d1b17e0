import type { VisitorEvent } from '../../events/event.ts';
import { noListeners } from '../../events/listeners.ts';
import { storeEventsIn } from '../../events/store-events.ts';
import { createPastCampaigns } from '../../outreach/touchpoints/create-past-campaigns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId, newIdAt } from '../../platform/ids.ts';
import { createRandom, type Random } from '../../platform/random.ts';
import type { Place } from './make-records.ts';
import { dayMs } from './plan-emails.ts';
import { plots, type BrandKey } from './story/story.ts';

export const websiteBrand: BrandKey = 'nordwind';

/** Of its own, so that the emails of the demo stay as they are. */
const seed = 20_261_128;
/** The website is as old as its history. */
const days = 14;
const visitsPerDay = 90;

/** Stores an active website with the visits of its first days. */
export async function storeWebsite(trx: Transaction, place: Place, brandId: string): Promise<void> {
  const { story, organizationId, now } = place;
  const { domain } = plots[websiteBrand];
  const createdAt = new Date(now.getTime() - days * dayMs);
  const touchpointId = newIdAt(createdAt);
  await createPastCampaigns(trx, organizationId, [
    {
      id: newIdAt(createdAt),
      brand_id: brandId,
      name: story.website.campaign,
      emails: [],
      websites: [
        {
          touchpoint_id: touchpointId,
          name: story.website.name,
          status: 'active',
          hosts: [domain, `*.${domain}`],
          created_at: createdAt,
          updated_at: createdAt,
        },
      ],
    },
  ]);
  const visits = inventVisits(place, domain, createRandom(seed));
  const events = visits.map((event): VisitorEvent => ({
    ...event,
    id: newId(),
    organizationId,
    touchpointId,
    subject: 'visitor',
  }));
  await storeEventsIn(trx, organizationId, events, noListeners);
}

type Visit = Omit<VisitorEvent, 'id' | 'organizationId' | 'touchpointId' | 'subject'>;

/** @returns events up to `now`, of visitors of whom a third comes back */
function inventVisits({ story, now }: Place, domain: string, random: Random): Visit[] {
  const events: Visit[] = [];
  const known: Visitor[] = [];
  for (let no = 0; no < days * visitsPerDay; no++) {
    // The last visit is in progress.
    const start = now.getTime() - (days * dayMs * no) / (days * visitsPerDay) - 200_000 * random.next();
    const visitor = known.length > 0 && random.chance(0.33) ? random.pick(known) : inventVisitor(random);
    known.push(visitor);
    const referrer = random.pick(referrers);
    let at = start;
    for (let page = 0; page < 1 + random.below(visitor.isBot ? 1 : 6); page++) {
      const [path, title] = random.pick(story.website.pages);
      const base = {
        ...visitor,
        clientAt: null,
        url: `https://${domain}${path}`,
        path,
        title,
        referrer: page === 0 && referrer !== null ? `https://${referrer}/` : null,
        referrerHost: page === 0 ? referrer : null,
        userId: null,
        collection: null,
        message: null,
        conversion: null,
      };
      events.push({ ...base, type: 'VIEW_PAGE', name: null, at: new Date(at) });
      if (!visitor.isBot && /\/.+\//.test(path) && random.chance(0.3))
        events.push({ ...base, type: 'TRACK', name: 'add_to_cart', at: new Date(at + 8_000) });
      at += (10 + 90 * random.next()) * 1_000;
    }
  }
  const createdAt = now.getTime() - days * dayMs;
  return events.filter(({ at }) => at <= now && at.getTime() >= createdAt);
}

type Visitor = Pick<VisitorEvent, 'visitorId' | 'language' | 'country' | 'width' | 'height' | 'isBot'>;

function inventVisitor(random: Random): Visitor {
  const [country, language] = random.pick(origins);
  const [width, height] = random.pick(screens);
  const digits = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join('');
  return {
    visitorId: `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`,
    language,
    country,
    width,
    height,
    isBot: random.chance(0.03),
  };
}

const origins = [
  ['DE', 'de-DE'],
  ['DE', 'de-DE'],
  ['DE', 'de'],
  ['AT', 'de-AT'],
  ['CH', 'de-CH'],
  ['NL', 'nl-NL'],
  ['GB', 'en-GB'],
  ['US', 'en-US'],
] as const;

const screens = [
  [390, 844],
  [412, 915],
  [820, 1180],
  [1440, 900],
  [1920, 1080],
] as const;

const referrers = [null, null, 'search.example', 'search.example', 'social.example', 'outdoor-forum.example'];
