import type { VisitorEvent } from '../../events/event.ts';
import type { Random } from '../../platform/random.ts';
import type { Person } from './people.ts';
import { dayMs } from './plan-emails.ts';
import { plots, type BrandKey, type Story } from './story/story.ts';

export const websiteBrand: BrandKey = 'nordwind';

/** A person clicked a link of a message that leads to the website. */
export interface FollowedLink {
  touchpointId: string;
  sendId: string;
  seq: number;
  at: Date;
  linkNo: number;
  person: Person;
  /** Null for a person who asks not to be tracked. */
  userAgent: string | null;
  ipPrefix: string | null;
}

/** An event of a visitor, before it has a place. */
export type Visit = Omit<
  VisitorEvent,
  'id' | 'organizationId' | 'touchpointId' | 'subject' | 'message' | 'conversion'
> & {
  /** Of an order, in euros. */
  value: number | null;
  /** What was followed to this page. */
  link: FollowedLink | null;
};

/** Of events. */
export const names = { order: 'order', signUp: 'newsletter_sign_up', cart: 'add_to_cart' } as const;

type Visitor = Pick<VisitorEvent, 'visitorId' | 'language' | 'country' | 'width' | 'height' | 'isBot'>;

/** What leads to events without a pause. */
interface Session {
  visitor: Visitor;
  at: number;
  /** Null for any page. */
  landing: string | null;
  referrer: string | null;
  link: FollowedLink | null;
  /** Chances of an order and of a sign-up. */
  orders: number;
  signsUp: number;
}

/** Visits a day without those of emails, on average. */
const visitsPerDay = 36;
/** Visits in progress. */
const visitsNow = 7;
const minuteMs = 60_000;

/** @returns events from `from` up to `now`, by time: of the website's own visitors, and of those who followed `links` */
export function inventVisits(
  { story, now }: { story: Story; now: Date },
  from: Date,
  links: readonly FollowedLink[],
  random: Random,
): Visit[] {
  const sessions = [
    ...inventOwn(from, now, random),
    ...followLinks(story, links, random),
    ...Array.from({ length: visitsNow }, () =>
      inventSession(inventVisitor(random), now.getTime() - random.next() * 4 * minuteMs, random),
    ),
  ];
  return sessions
    .flatMap((session) => play(session, story, random))
    .filter(({ at }) => at >= from && at <= now)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** By month from January: people buy for summer, and presents. */
const seasons = [0.78, 0.75, 0.92, 1.08, 1.22, 1.24, 1.16, 1.08, 0.98, 0.88, 0.98, 1.18];
/** By day from Sunday. */
const weekdays = [1.16, 1.04, 0.97, 0.95, 0.94, 0.88, 1.06];
/** By hour in UTC. */
const hours = [2, 1, 1, 1, 2, 5, 9, 13, 16, 18, 19, 20, 18, 17, 17, 18, 20, 23, 27, 28, 23, 15, 8, 4];

/** @returns the visits that no email led to: they grow, and follow seasons and weekdays */
function inventOwn(from: Date, now: Date, random: Random): Session[] {
  const known: Visitor[] = [];
  const sessions: Session[] = [];
  for (let day = from.getTime(); day < now.getTime(); day += dayMs) {
    const date = new Date(day);
    const growth = 0.65 + (0.7 * (day - from.getTime())) / (now.getTime() - from.getTime());
    const shape = seasons[date.getUTCMonth()]! * weekdays[date.getUTCDay()]! * (0.85 + 0.3 * random.next());
    for (let left = visitsPerDay * growth * shape; left > random.next(); left--) {
      const isKnown = known.length > 0 && random.chance(0.33);
      const visitor = isKnown
        ? known[known.length - 1 - random.below(Math.min(known.length, 900))]!
        : inventVisitor(random);
      known.push(visitor);
      const at =
        Math.floor(day / dayMs) * dayMs + (pickWeighted(hourIndexes, random) + random.next()) * 3_600_000;
      sessions.push(inventSession(visitor, at, random));
    }
  }
  return sessions;
}

const inventSession = (visitor: Visitor, at: number, random: Random): Session => ({
  visitor,
  at,
  landing: random.chance(0.45) ? '/' : null,
  referrer: pickWeighted(referrers, random),
  link: null,
  orders: 0.018,
  signsUp: 0.013,
});

/** @returns the visits of those who followed links: at once, and some again later */
function followLinks(story: Story, links: readonly FollowedLink[], random: Random): Session[] {
  const slugs = story.brands[websiteBrand].more.map(([, , slug]) => slug);
  const visitors = new Map<string, Visitor>();
  return links.flatMap((link): Session[] => {
    const { person, userAgent, at, linkNo } = link;
    // Pages get no event of those who object, of content blockers, and of those who leave before the page is loaded.
    if (userAgent === null || random.chance(0.05)) return [];
    const isPhone = userAgent.includes('iPhone');
    const key = `${person.id} ${isPhone}`;
    const visitor = visitors.get(key) ?? inventReader(person, isPhone, random);
    visitors.set(key, visitor);
    const base = { visitor, signsUp: 0.004 };
    const sessions: Session[] = [
      {
        ...base,
        at: at.getTime() + 1_500 + 4_000 * random.next(),
        landing: linkNo === 0 ? '/' : `/${slugs[linkNo - 1]!}`,
        referrer: isPhone || random.chance(0.4) ? null : 'webmail.example',
        link,
        orders: 0.12,
      },
    ];
    // Some think about it for longer than conversions are attributed.
    if (random.chance(0.24)) {
      const later = at.getTime() + dayMs * (0.2 + 14 * random.next() ** 2);
      sessions.push({ ...base, at: later, landing: '/', referrer: null, link: null, orders: 0.3 });
    }
    return sessions;
  });
}

/** @returns the events of a session */
function play(session: Session, story: Story, random: Random): Visit[] {
  const { visitor, landing, referrer, link } = session;
  const { pages, order, signUp } = story.website;
  const visits: Visit[] = [];
  let at = session.at;
  const base = {
    ...visitor,
    clientAt: null,
    userId: null,
    collection: null,
    value: null,
    link: null,
  };
  const add = ([path, title]: readonly [string, string], event: Partial<Visit> = {}) => {
    const isFirst = visits.length === 0;
    const referrerHost = isFirst ? referrer : null;
    visits.push({
      ...base,
      type: 'VIEW_PAGE',
      name: null,
      at: new Date(at),
      url: `https://${plots[websiteBrand].domain}${path}`,
      path,
      title,
      referrer: referrerHost === null ? null : `https://${referrerHost}/`,
      referrerHost,
      link: isFirst ? link : null,
      ...event,
    });
    at += (6 + 70 * random.next()) * 1_000;
  };
  const track = (page: readonly [string, string], name: string, value: number | null = null) =>
    add(page, { type: 'TRACK', name, value });
  const drawPage = () => pages[Math.floor(pages.length * random.next() ** 1.6)]!;

  add(pages.find(([path]) => path === landing) ?? drawPage());
  if (visitor.isBot) return visits;
  for (let more = [0, 0, 0, 1, 1, 2, 3, 5][random.below(8)]!; more > 0; more--) {
    const page = drawPage();
    add(page);
    if (isProduct(page) && random.chance(0.16)) track(page, names.cart);
  }
  if (random.chance(session.orders)) {
    const product = random.pick(pages.filter(isProduct));
    add(product);
    track(product, names.cart);
    add(order, { type: 'IDENTIFY', userId: `customer-${1_000 + random.below(9_000)}` });
    add(order);
    track(order, names.order, drawValue(random));
  }
  if (random.chance(session.signsUp)) {
    add(signUp);
    track(signUp, names.signUp);
  }
  return visits;
}

const isProduct = ([path]: readonly [string, string]): boolean => /^\/(?!journal).+\//.test(path);

/** @returns the value of an order: many small ones, few large ones */
const drawValue = (random: Random): number => Math.round(24 + 330 * random.next() ** 2.4) - 0.05;

function inventVisitor(random: Random): Visitor {
  const [country, language] = pickWeighted(origins, random);
  const [width, height] = pickWeighted(screens, random);
  return { visitorId: drawUuid(random), language, country, width, height, isBot: random.chance(0.03) };
}

/** @returns a contact as a visitor */
function inventReader({ data }: Person, isPhone: boolean, random: Random): Visitor {
  const [width, height] = pickWeighted(
    screens.filter(([[screenWidth]]) => screenWidth < 768 === isPhone),
    random,
  );
  const country = data['country'] as string;
  const language = `${data['language'] as string}-${country}`;
  return { visitorId: drawUuid(random), language, country, width, height, isBot: false };
}

function drawUuid(random: Random): string {
  const digits = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}

type Weighted<T> = readonly (readonly [value: T, weight: number])[];

function pickWeighted<T>(from: Weighted<T>, random: Random): T {
  let left = random.next() * from.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of from) {
    left -= weight;
    if (left < 0) return value;
  }
  return from[0]![0];
}

const hourIndexes: Weighted<number> = hours.map((weight, hour) => [hour, weight] as const);

const origins: Weighted<readonly [country: string | null, language: string]> = [
  [['DE', 'de-DE'], 44],
  [['DE', 'de'], 10],
  [['DE', 'en-US'], 3],
  [['AT', 'de-AT'], 11],
  [['CH', 'de-CH'], 8],
  [['CH', 'fr-CH'], 2],
  [['GB', 'en-GB'], 5],
  [['NL', 'nl-NL'], 4],
  [['US', 'en-US'], 3],
  [['FR', 'fr-FR'], 2],
  [['DK', 'da-DK'], 2],
  [['PL', 'pl-PL'], 1.4],
  [['IT', 'it-IT'], 1.2],
  [['SE', 'sv-SE'], 1],
  [['NO', 'nb-NO'], 1],
  [['CZ', 'cs-CZ'], 0.8],
  [['ES', 'es-ES'], 0.7],
  [['BE', 'nl-BE'], 0.6],
  [['IE', 'en-IE'], 0.5],
  [['CA', 'en-CA'], 0.3],
  [['JP', 'ja-JP'], 0.2],
  [[null, 'en'], 0.8],
];

const screens: Weighted<readonly [width: number, height: number]> = [
  [[390, 844], 28],
  [[412, 915], 18],
  [[360, 800], 8],
  [[820, 1180], 6],
  [[1280, 720], 5],
  [[1440, 900], 11],
  [[1536, 864], 9],
  [[1920, 1080], 13],
  [[2560, 1440], 2],
];

const referrers: Weighted<string | null> = [
  [null, 44],
  ['search.example', 31],
  ['social.example', 10],
  ['outdoor-forum.example', 6],
  ['hiking-magazine.example', 4],
  ['prices.example', 3],
  ['trail-blog.example', 2],
];
