import type { Topic } from '@reachout/contract/topics.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { scopeOf, type FigureReader } from '../figures/figures.ts';
import { getBrand } from './brand.queries.ts';
import { createTopic } from './topics.ts';
import {
  countTopicChoices,
  countTopicUses,
  deleteTopic,
  getTopic,
  listTopics,
  lockTopicsOf,
  numberTopics,
  updateTopic,
  type TopicRow,
} from './topic.queries.ts';

export const topicRoutes = {
  list: inTransaction(operations.topics.list, async (trx, input, context) => {
    await getBrand(trx, input.id);
    return { items: await withCounts(trx, context, await listTopics(trx, input.id)) };
  }),
  create: inTransaction(operations.topics.create, async (trx, { id: brandId, ...fields }, context) => {
    const id = await createTopic(trx, await getBrand(trx, brandId), fields);
    context.note({ record_id: id, record_name: fields.name });
    return await describe(trx, context, id);
  }),
  update: inTransaction(operations.topics.update, async (trx, { id, position, ...changes }, context) => {
    const { name, brand_id } = await getTopic(trx, id);
    await lockTopicsOf(trx, brand_id);
    if (Object.keys(changes).length > 0 && !(await updateTopic(trx, id, changes)))
      throw apiError('name_taken');
    if (position !== undefined) await numberTopics(trx, brand_id, { id, position });
    context.note({ record_name: name });
    return await describe(trx, context, id);
  }),
  delete: inTransaction(operations.topics.delete, async (trx, { id }, context) => {
    const { name, brand_id } = await getTopic(trx, id);
    await lockTopicsOf(trx, brand_id);
    if (!(await deleteTopic(trx, id))) throw apiError('topic_in_use');
    await numberTopics(trx, brand_id);
    context.note({ record_name: name });
    return { id };
  }),
};

const describe = async (trx: Transaction, reader: FigureReader, id: string): Promise<Topic> =>
  (await withCounts(trx, reader, [await getTopic(trx, id)]))[0]!;

async function withCounts(
  trx: Transaction,
  reader: FigureReader,
  topics: readonly TopicRow[],
): Promise<Topic[]> {
  const ids = topics.map(({ id }) => id);
  const scope = scopeOf(reader, 'Touchpoint');
  const uses = scope === 'nothing' ? undefined : await countTopicUses(trx, ids, scope);
  const choices = reader.can('read', 'Consent') ? await countTopicChoices(trx, ids) : undefined;
  return topics.map((topic) => ({
    ...topic,
    used_count: uses?.get(topic.id) ?? null,
    subscribed_count: choices === undefined ? null : (choices.get(topic.id)?.subscribed ?? 0),
    declined_count: choices === undefined ? null : (choices.get(topic.id)?.declined ?? 0),
  }));
}
