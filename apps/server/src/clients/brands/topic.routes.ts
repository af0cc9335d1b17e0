import { maxTopics, type Topic } from '@reachout/contract/topics.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { apiError, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { scopeOf, type FigureReader } from '../figures/figures.ts';
import { getBrand } from './brand.queries.ts';
import {
  countTopicChoices,
  countTopicUses,
  deleteTopic,
  getTopic,
  insertTopic,
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
    const { id: brand_id, organization_id } = await getBrand(trx, brandId);
    await lockTopicsOf(trx, brand_id);
    const { length } = await listTopics(trx, brand_id);
    if (length >= maxTopics) throw tooManyRecords(maxTopics);
    const id = newId();
    if (!(await insertTopic(trx, { ...fields, id, organization_id, brand_id, position: length + 1 })))
      throw apiError('name_taken');
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
