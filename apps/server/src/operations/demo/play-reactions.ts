import type { MessageEvent } from '../../events/event.ts';
import type { DeliveryResult } from '../../queue/delivery.ts';
import { newIdAt } from '../../platform/ids.ts';
import type { Random } from '../../platform/random.ts';
import type { Person } from './people.ts';
import { dayMs, monthMs, type PlannedEmail } from './plan-emails.ts';
import { plots } from './story/story.ts';

/** An event of one message. */
export interface Reaction extends Pick<
  MessageEvent,
  'seq' | 'type' | 'linkNo' | 'at' | 'isBot' | 'userAgent' | 'ipPrefix' | 'country'
> {
  /** Whether it is a scanner's that looks like a browser, which is found out when its clicks are looked at again. */
  isDisguised?: true;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** @returns a factor for an email's response rates: it varies by email and rises over the months */
export const drawAppeal = (ageMs: number, random: Random): number =>
  1.14 - (0.28 * ageMs) / (14 * monthMs) - 0.12 + 0.24 * random.next();

/** @returns the events of a message by its recipient and by bots, none after `now` */
export function playReactions(
  { seq, at, result, tracked = true }: DeliveryResult,
  person: Person,
  { brand, isBad }: PlannedEmail,
  { appeal, now, random }: { appeal: number; now: Date; random: Random },
): Reaction[] {
  if (result.kind !== 'final') return [];
  const sentAt = new Date(at);
  const base = { seq, linkNo: null, isBot: false, ...noClient };
  if (result.state === 'bounced') return [{ ...base, type: 'BOUNCE', at: sentAt }];
  const { openRate, clickRate } = plots[brand];
  const reactions: Reaction[] = machinesOf(person, seq, sentAt, random);
  const opens = random.chance(Math.min(0.95, openRate * appeal * person.keenness));
  const openedAt = nextWakingHour(new Date(sentAt.getTime() + readAfterMs(random)), random);
  if (opens) {
    const client = drawClient(random);
    reactions.push({ ...base, ...client, type: 'OPEN_EMAIL', at: openedAt });
    if (random.chance(0.24)) {
      const again = new Date(openedAt.getTime() + (0.5 + 20 * random.next()) * hourMs);
      reactions.push({ ...base, ...client, type: 'OPEN_EMAIL', at: nextWakingHour(again, random) });
    }
    if (random.chance(clickRate * appeal))
      reactions.push(
        ...clicksAfter(openedAt, random).map((click) => ({
          ...base,
          ...client,
          ...click,
          ...placeOf(person, client),
        })),
      );
    if (random.chance(isBad ? 0.04 : 0.006)) {
      const leftAt = new Date(openedAt.getTime() + (1 + 4 * random.next()) * minuteMs);
      reactions.push({ ...base, ...client, type: 'UNSUBSCRIBE', at: leftAt });
    }
  }
  return reactions.filter(
    ({ type, at: reactedAt }) => reactedAt < now && (tracked || type === 'UNSUBSCRIBE'),
  );
}

function clicksAfter(openedAt: Date, random: Random): Pick<Reaction, 'type' | 'linkNo' | 'at'>[] {
  // The button is clicked most; the later links are less prominent.
  const link = () => [0, 0, 0, 0, 1, 1, 2][random.below(7)]!;
  const first = new Date(openedAt.getTime() + (8 + 90 * random.next()) * 1_000);
  const second = new Date(first.getTime() + (20 + 300 * random.next()) * 1_000);
  const clicks = random.chance(0.2) ? [first, second] : [first];
  return clicks.map((at) => ({ type: 'CLICK', linkNo: link(), at }));
}

/** @returns events of mail clients that load images and of scanners that follow links, before a person reads the email */
function machinesOf(person: Person, seq: number, sentAt: Date, random: Random): Reaction[] {
  const soon = () => new Date(sentAt.getTime() + (2 + 50 * random.next()) * 1_000);
  const base = { seq, isBot: true, ipPrefix: '192.0.2.0/24' };
  if (person.hasProxy)
    return [{ ...base, type: 'OPEN_EMAIL', linkNo: null, at: soon(), userAgent: 'Mozilla/5.0' }];
  if (!person.hasScanner) return [];
  if (seq % 3 === 0)
    return [0, 1, 2].map((linkNo) => ({
      ...base,
      isBot: false,
      isDisguised: true,
      type: 'CLICK',
      linkNo,
      at: new Date(sentAt.getTime() + 4_000 + 600 * linkNo),
      userAgent: clients[1],
    }));
  const at = soon();
  return [0, 1, 2].map((linkNo) => ({
    ...base,
    type: 'CLICK',
    linkNo,
    at,
    userAgent: 'Mozilla/5.0 (compatible; Barracuda Link Protection)',
  }));
}

/** So many of those who opened an email complain: one to an unchecked list, and those of the largest brand in the last four weeks. */
const complaintsOf = { bad: 2, recent: 1 };
const recentMs = 28 * dayMs;

/** @returns complaints about an email, a minute after it was opened */
export function playComplaints(
  { brand, isBad, at: sentAt }: PlannedEmail,
  reactions: readonly Reaction[],
  now: Date,
): Reaction[] {
  const isRecent = brand === 'nordwind' && now.getTime() - sentAt.getTime() < recentMs;
  const number = isBad ? complaintsOf.bad : isRecent ? complaintsOf.recent : 0;
  const opens = reactions.filter(({ type, isBot }) => type === 'OPEN_EMAIL' && !isBot);
  const openers = new Map(opens.map(({ seq, at }) => [seq, new Date(at.getTime() + minuteMs)]));
  return [...openers]
    .filter(([, at]) => at < now)
    .slice(0, number)
    .map(([seq, at]) => ({ seq, type: 'COMPLAINT', at, linkNo: null, isBot: false, ...noClient }));
}

/** @returns the delay until reading: a third within the first hour, nearly all within three days */
const readAfterMs = (random: Random): number =>
  random.chance(0.35)
    ? (1 + 58 * random.next()) * minuteMs
    : hourMs * (0.8 - 13 * Math.log(1 - 0.995 * random.next()));

/** Moves a timestamp out of the night (UTC) and, mostly, from the weekend to Monday. */
function nextWakingHour(at: Date, random: Random): Date {
  const moved = new Date(at);
  const isWeekend = moved.getUTCDay() === 0 || moved.getUTCDay() === 6;
  if (isWeekend && random.chance(0.7))
    moved.setUTCDate(moved.getUTCDate() + (moved.getUTCDay() === 6 ? 2 : 1));
  if (moved.getUTCHours() >= 22) moved.setUTCHours(moved.getUTCHours() + 8);
  if (moved.getUTCHours() < 5) moved.setUTCHours(5 + random.below(4));
  return moved;
}

const noClient = { userAgent: null, ipPrefix: null };

const clients = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0',
] as const;

/** Networks for documentation (RFC 5737). */
const networks = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'] as const;

/** Some recipients ask not to be tracked, so their client data is not stored. */
const drawClient = (random: Random): Pick<Reaction, 'userAgent' | 'ipPrefix'> =>
  random.chance(0.2) ? noClient : { userAgent: random.pick(clients), ipPrefix: random.pick(networks) };

/** Nobody in the demo clicks on a journey. */
const placeOf = ({ data }: Person, { userAgent }: Pick<Reaction, 'userAgent'>): Pick<Reaction, 'country'> =>
  userAgent === null || typeof data['country'] !== 'string' ? {} : { country: data['country'] };

/** @param key  key of the message */
export const toEvent = (
  key: Pick<MessageEvent, 'organizationId' | 'touchpointId' | 'sendId'>,
  reaction: Reaction,
): MessageEvent => ({ ...key, ...reaction, id: newIdAt(reaction.at), subject: 'message' });
