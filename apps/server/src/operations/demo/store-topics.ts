import type { Brand } from '@reachout/contract/clients.ts';
import { endOfPause } from '@reachout/contract/rules/pauses.ts';
import { createTopic } from '../../clients/brands/topics.ts';
import type { NewRow, Transaction } from '../../platform/database/database.ts';
import type { Random } from '../../platform/random.ts';
import { insertRows } from '../../sample/rows.ts';
import type { Place } from './make-records.ts';
import type { Person } from './people.ts';
import { lastSendBefore, type PlannedEmail } from './plan-emails.ts';
import { brandKeys, type BrandKey, type Story } from './story/story.ts';

export type TopicIds = ReadonlyMap<BrandKey, readonly string[]>;

/** Shares of the contacts of a brand. */
const shares = { declined: 0.03, declinedSecond: 0.02, chosen: 0.11, paused: 0.015, measuring: 0.05 };
const settledMs = 3_600_000;

export async function createTopics(
  trx: Transaction,
  { story }: Place,
  kits: Readonly<Record<BrandKey, Brand>>,
): Promise<TopicIds> {
  const topics = new Map<BrandKey, string[]>();
  for (const key of brandKeys) {
    const { preferences = [] } = story.brands[key];
    for (const [index, [name, description]] of preferences.entries()) {
      const is_default = index < preferences.length - 1;
      const id = await createTopic(trx, kits[key], { name, description, is_default });
      topics.set(key, [...(topics.get(key) ?? []), id]);
    }
  }
  return topics;
}

/** @returns one of the topics that go to everybody; null for confirmations of orders */
export function topicOf(
  story: Story,
  topics: TopicIds,
  { brand, topic, fate }: Pick<PlannedEmail, 'brand' | 'topic' | 'fate'>,
): string | null {
  const ids = topics.get(brand);
  if (ids === undefined || fate === 'on_request') return null;
  return ids[Math.max(0, story.brands[brand].topics.indexOf(topic)) % (ids.length - 1)]!;
}

/** Stores what some people have chosen since the last send of a brand, so that its past sends stay true. */
export async function storeChoices(
  trx: Transaction,
  { story, organizationId, userId, now }: Place,
  kits: Readonly<Record<BrandKey, Brand>>,
  { topics, people, random }: { topics: TopicIds; people: readonly Person[]; random: Random },
): Promise<void> {
  const choices: NewRow<'choices'>[] = [];
  for (const [brand, [first, second, last]] of topics) {
    const from = lastSendBefore(now, brand).getTime() + settledMs;
    for (const { data } of people.filter(({ brands, at }) => brands.has(brand) && at.getTime() < from)) {
      const at = new Date(from + random.next() * (now.getTime() - from));
      const choice = {
        organization_id: organizationId,
        brand_id: kits[brand].id,
        address_key: data.email,
        source: 'preferences' as const,
        changed_at: at.toISOString(),
      };
      const chooseTopic = (topic_id: string, value: 'subscribed' | 'not_subscribed', more = {}) =>
        choices.push({ ...choice, kind: 'topic', topic_id, value, ...more });
      if (random.chance(shares.declined)) chooseTopic(first!, 'not_subscribed');
      if (random.chance(shares.declinedSecond)) chooseTopic(second!, 'not_subscribed');
      if (random.chance(shares.chosen))
        chooseTopic(
          last!,
          'subscribed',
          random.chance(0.2) ? { source: 'member', created_by: userId, note: story.basis } : {},
        );
      if (random.chance(shares.paused))
        choices.push({ ...choice, kind: 'pause', value: 'paused', until: endOfPause(at).toISOString() });
      if (random.chance(shares.measuring))
        choices.push({ ...choice, kind: 'tracking', value: random.chance(0.7) ? 'allowed' : 'refused' });
    }
  }
  await insertRows(trx, 'choices', choices);
}
