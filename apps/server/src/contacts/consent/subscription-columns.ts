import type { Item } from '@reachout/contract/content.ts';
import type { SuppressedState } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  listBrandNames,
  listSuppressionsOfAddresses,
  type AddressSuppression,
  type NamedBrand,
} from './subscription-columns.queries.ts';
import { addressKeyOf, sourceOf, strongestState } from './subscription.ts';
import { listTopicChoices, listTopicsOfBrands } from './contact-choices.queries.ts';

/** Columns of an export that say, for each brand and over all of them, whether a contact gets mail, why not, and since when. */
interface SubscriptionColumns {
  names: string[];
  fill: (trx: Transaction, items: readonly Item[]) => Promise<Item[]>;
}

/** Brands with columns of their own. The others share one, so that the width of a file has a bound. */
const maxBrands = 100;
const maxNames = 10_000;
const parts = ['state', 'reason', 'since'] as const;
const furtherBrands = 'further brands';

/** For the brands that may write to the contacts of this collection, as far as the reader can see them. */
export async function openSubscriptionColumns(
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
): Promise<SubscriptionColumns> {
  const brands = await listBrandNames(trx, { organizationId, collection, limit: maxNames });
  const wide = brands.slice(0, maxBrands);
  const narrow = brands.slice(maxBrands);
  return {
    names: [
      // Field names contain no blanks, so that these collide with none.
      ...parts.map((part) => `subscription ${part}`),
      ...wide.flatMap((brand) => parts.map((part) => columnOf(brand, part))),
      ...(narrow.length > 0 ? [furtherBrands] : []),
    ],
    fill: async (trx_, items) => {
      const keys = items.flatMap(({ email }) => addressKeyOf(email) ?? []);
      const found = Map.groupBy(
        await listSuppressionsOfAddresses(trx_, organizationId, keys),
        ({ address_key }) => address_key,
      );
      return items.map((item) => {
        const key = addressKeyOf(item['email']);
        const held = key === undefined ? [] : (found.get(key) ?? []);
        const ofAll = strongest(item, held, null);
        const states = brands.map((brand) => ({ brand, held: strongest(item, held, brand.id) }));
        const isLeft = states.length > 0 && states.every(({ held: of }) => isOptOut(of?.state));
        const latest = states.map(({ held: of }) => of).toSorted(byTime)[0];
        // After a pause, at least one brand sends again.
        const paused = states.every(({ held: of }) => isOptOut(of?.state) || of?.state === 'paused')
          ? states.find(({ held: of }) => of?.state === 'paused')?.held
          : undefined;
        return {
          ...item,
          ...(Object.hasOwn(item, 'unsubscribed') && (isLeft || isOptOut(ofAll?.state))
            ? { unsubscribed: true }
            : {}),
          ...cells((part) => `subscription ${part}`, ofAll ?? (isLeft ? latest : paused), key),
          ...Object.assign(
            {},
            ...states
              .slice(0, maxBrands)
              .map(({ brand, held: of }) => cells((part) => columnOf(brand, part), of, key)),
          ),
          ...(narrow.length > 0 ? { [furtherBrands]: listFurther(states.slice(maxBrands)) } : {}),
        } as Item;
      });
    },
  };
}

const columnOf = ({ name, client_name }: NamedBrand, part: string) => `${client_name} / ${name}: ${part}`;

interface Held {
  state: SuppressedState;
  reason: string;
  since: string | null;
}

/** The suppression that counts for a brand, or for all brands: the contact's own mark is one of all brands. */
function strongest(
  item: Item,
  held: readonly AddressSuppression[],
  brandId: string | null,
): Held | undefined {
  const applying = held.filter(({ brand_id }) => brand_id === null || brand_id === brandId);
  const marks = item['unsubscribed'] === true ? (['unsubscribed'] as const) : [];
  const state = strongestState([...applying.map((each) => each.state), ...marks]);
  if (state === 'subscribed') return undefined;
  const cause = applying.find((each) => each.state === state);
  return cause === undefined
    ? { state, reason: 'contact', since: null }
    : { state, reason: sourceOf(cause), since: cause.at };
}

const isOptOut = (state: SuppressedState | undefined): boolean =>
  state === 'unsubscribed' || state === 'complained';

/** The latest first: since then a contact gets nothing at all. */
const byTime = (one: Held | undefined, other: Held | undefined): number =>
  (other?.since ?? '').localeCompare(one?.since ?? '');

const cells = (
  nameOf: (part: (typeof parts)[number]) => string,
  held: Held | undefined,
  addressKey: string | undefined,
) => ({
  [nameOf('state')]: addressKey === undefined ? 'no_address' : (held?.state ?? 'subscribed'),
  [nameOf('reason')]: held?.reason ?? null,
  [nameOf('since')]: held?.since ?? null,
});

const listFurther = (states: readonly { brand: NamedBrand; held: Held | undefined }[]): string =>
  states
    .flatMap(({ brand, held }) =>
      held === undefined
        ? []
        : [[columnOf(brand, held.state), held.reason, held.since].filter(Boolean).join(' ')],
    )
    .join('; ');

/** Topics with a column of their own. The others share one, so that the width of a file has a bound. */
const maxTopics = 100;
const furtherTopics = 'further topics';

/**
 * Columns of an export that say, for each topic of the brands that may write to these contacts, whether a contact is
 * subscribed: by its choice, or because the topic goes to all who have not declined. As far as the reader can see them.
 */
export async function openTopicColumns(
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
): Promise<SubscriptionColumns> {
  const brands = await listBrandNames(trx, { organizationId, collection, limit: maxNames });
  const brandIds = brands.map(({ id }) => id);
  const stored = brands.length === 0 ? [] : await listTopicsOfBrands(trx, { organizationId, brandIds });
  const topics = brands.flatMap(({ id, name, client_name }) =>
    stored
      .filter(({ brand_id }) => brand_id === id)
      .map((topic) => ({ ...topic, column: `${client_name} / ${name}: topic ${topic.name}` })),
  );
  const wide = topics.slice(0, maxTopics);
  const narrow = topics.slice(maxTopics);
  return {
    names: [...wide.map(({ column }) => column), ...(narrow.length > 0 ? [furtherTopics] : [])],
    fill: async (trx_, items) => {
      if (topics.length === 0) return [...items];
      const keys = items.flatMap(({ email }) => addressKeyOf(email) ?? []);
      const choices = new Map(
        (await listTopicChoices(trx_, organizationId, keys)).map((choice) => [
          `${choice.address_key} ${choice.topic_id}`,
          choice.value === 'subscribed',
        ]),
      );
      return items.map((item): Item => {
        const key = addressKeyOf(item['email']);
        if (key === undefined) return item;
        const chosen = (id: string) => choices.get(`${key} ${id}`);
        const stateOf = (isSubscribed: boolean) => (isSubscribed ? 'subscribed' : 'not_subscribed');
        const others = narrow.flatMap(({ id, column }) => {
          const isSubscribed = chosen(id);
          return isSubscribed === undefined ? [] : [`${column} ${stateOf(isSubscribed)}`];
        });
        return {
          ...item,
          ...Object.fromEntries(
            wide.map(({ id, column, is_default }) => [column, stateOf(chosen(id) ?? is_default)]),
          ),
          ...(narrow.length > 0 ? { [furtherTopics]: others.join('; ') } : {}),
        };
      });
    },
  };
}
