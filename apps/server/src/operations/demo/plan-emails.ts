import { brandKeys, plots, type BrandKey, type Story, type Topic } from './story/story.ts';

export const dayMs = 86_400_000;
export const monthMs = 30.44 * dayMs;

/** Most emails are sent; unfinished sends require the built-in mailbox. */
export type Fate = 'sent' | 'running' | 'paused' | 'scheduled' | 'on_request' | 'draft';

export interface PlannedEmail {
  brand: BrandKey;
  topic: Topic;
  name: string;
  subject: string;
  /** When its send starts or started; for drafts, when it was last changed. */
  at: Date;
  fate: Fate;
  /** Whether it is sent in reaction to clicks in the last email of its brand. */
  isReaction?: true;
  /** Of a scheduled email that repeats. */
  rrule?: string;
  /** Whether it was sent to an unchecked list. */
  isBad: boolean;
  campaign: string;
}

/** Minimum age of the last send, so that it has results. */
const settledMs = 3 * 3_600_000;

/** @returns all emails of the demo, earliest first */
export function planEmails(story: Story, now: Date): PlannedEmail[] {
  const sent = brandKeys.flatMap((brand) => planSent(story, now, brand));
  return [...sent, ...planOpen(story, now)].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** The send with many bounces is the third last one of its brand. */
const badSend = { brand: 'business', fromLast: 2 };

function planSent(story: Story, now: Date, brand: BrandKey): PlannedEmail[] {
  const { everyDays, months } = plots[brand];
  const last = lastSendBefore(now, brand);
  const count = Math.floor((months * monthMs - (now.getTime() - last.getTime())) / (everyDays * dayMs)) + 1;
  return Array.from({ length: count }, (_, fromLast) => {
    const at = new Date(last.getTime() - fromLast * everyDays * dayMs);
    // Of two emails in four weeks, the second one is a reminder of the first.
    const isReminder = everyDays === 14 && (count - fromLast) % 2 === 0;
    const topicAt = isReminder ? new Date(at.getTime() - everyDays * dayMs) : at;
    const isBad = brand === badSend.brand && fromLast === badSend.fromLast;
    const campaign = campaignAt(story, brand, at);
    return { ...describe(story, brand, topicAt, isReminder), at, fate: 'sent', isBad, campaign };
  });
}

/** @returns the latest send time on the brand's weekday and hour before its quiet period */
export function lastSendBefore(now: Date, brand: BrandKey): Date {
  const { weekday, hour, quietDays } = plots[brand];
  const latest = new Date(now.getTime() - settledMs - quietDays * dayMs);
  const at = new Date(Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth(), latest.getUTCDate(), hour, 7));
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() - weekday + 7) % 7));
  if (at > latest) at.setUTCDate(at.getUTCDate() - 7);
  return at;
}

/** Plans the running, paused, scheduled and draft emails, and one that is sent on request. */
function planOpen(story: Story, now: Date): PlannedEmail[] {
  const after = (days: number) => new Date(now.getTime() + days * dayMs);
  const nextOf = (brand: BrandKey, days: number) =>
    new Date(lastSendBefore(now, brand).getTime() + days * dayMs);
  const open: [brand: BrandKey, fate: Fate, at: Date, rrule?: string][] = [
    ['solara', 'running', after(-40 / 1_440)],
    ['business', 'paused', after(-1.1)],
    ['nordwind', 'scheduled', nextOf('nordwind', 14)],
    ['morrow', 'scheduled', nextOf('morrow', 14)],
    ['kids', 'scheduled', nextOf('kids', 28), 'FREQ=WEEKLY;INTERVAL=2;COUNT=6'],
    ['academy', 'draft', after(-0.2)],
  ];
  const planned = open.map(([brand, fate, at, rrule]) => ({
    ...describe(story, brand, at, false),
    fate,
    at,
    ...(rrule === undefined ? {} : { rrule }),
  }));
  const last: PlannedEmail['topic'] = [story.draft, story.brands.nordwind.topics[11]![1]];
  const draft = { brand: 'nordwind', topic: last, name: story.draft, subject: story.draft } as const;
  const [confirmation] = story.onRequest;
  const onRequest = {
    brand: 'morrow',
    topic: story.onRequest,
    name: confirmation,
    subject: confirmation,
  } as const;
  const [question] = story.followUp;
  const followUp = { brand: 'nordwind', topic: story.followUp, name: question, subject: question } as const;
  return [
    ...planned,
    { ...draft, fate: 'draft', at: after(-0.05) } as const,
    { ...onRequest, fate: 'on_request', at: after(-6) } as const,
    { ...followUp, fate: 'on_request', at: after(-5), isReaction: true } as const,
  ].map((email) => ({
    ...email,
    isBad: false,
    campaign: campaignAt(story, email.brand, email.at),
  }));
}

function describe(story: Story, brand: BrandKey, at: Date, isReminder: boolean) {
  const { topics } = story.brands[brand];
  const topic = topics[Math.floor((at.getUTCMonth() * topics.length) / 12)]!;
  const subject = isReminder ? story.reminder(topic[0]) : topic[0];
  return { brand, topic, subject, name: subject };
}

/** “Winter hikes 2025/26”, “Spring trails 2026”. */
function campaignAt({ brands }: Story, brand: BrandKey, at: Date): string {
  const [month, year] = [at.getUTCMonth(), at.getUTCFullYear()];
  const season = Math.floor(((month + 1) % 12) / 3);
  const name = brands[brand].campaigns[season];
  if (season > 0) return `${name} ${year}`;
  const first = month === 11 ? year : year - 1;
  return `${name} ${first}/${String(first + 1).slice(2)}`;
}
