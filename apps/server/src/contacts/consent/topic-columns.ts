import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listTopicChoices, listTopicsOfBrands } from './contact-choices.queries.ts';
import { listBrandNames } from './subscription-columns.queries.ts';
import type { SubscriptionColumns } from './subscription-columns.ts';
import { addressKeyOf } from './subscription.ts';

/** Topics with a column of their own. The others share one, so that the width of a file has a bound. */
const maxTopics = 100;
const maxBrands = 10_000;
const further = 'further topics';

/**
 * Columns of an export that say, for each topic of the brands that may write to these contacts, whether a contact is
 * subscribed: by its choice, or because the topic goes to all who have not declined. As far as the reader can see them.
 */
export async function openTopicColumns(
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
): Promise<SubscriptionColumns> {
  const brands = await listBrandNames(trx, { organizationId, collection, limit: maxBrands });
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
    names: [...wide.map(({ column }) => column), ...(narrow.length > 0 ? [further] : [])],
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
          ...(narrow.length > 0 ? { [further]: others.join('; ') } : {}),
        };
      });
    },
  };
}
