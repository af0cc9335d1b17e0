import { maxTopics, type Topic } from '@reachout/contract/topics.ts';
import { apiError, tooManyRecords, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertTopic, listTopics, lockTopicsOf, findTopic, lockTopicForUse } from './topic.queries.ts';

/** Adds a topic as the last one of its brand. @returns its id @throws 409 `too_many_records`, `name_taken` */
export async function createTopic(
  trx: Transaction,
  { id: brand_id, organization_id }: { id: string; organization_id: string },
  fields: Pick<Topic, 'name' | 'description' | 'is_default'>,
): Promise<string> {
  await lockTopicsOf(trx, brand_id);
  const { length } = await listTopics(trx, brand_id);
  if (length >= maxTopics) throw tooManyRecords(maxTopics);
  const id = newId();
  if (!(await insertTopic(trx, { ...fields, id, organization_id, brand_id, position: length + 1 })))
    throw apiError('name_taken');
  return id;
}

/** @returns the topic of an email or a send, if it has one that exists */
export const findTopicOf = async (
  trx: Transaction,
  organizationId: string,
  id: string | null | undefined,
): Promise<{ id: string; name: string } | null> =>
  (id ? await findTopic(trx, organizationId, id) : undefined) ?? null;

/** @returns the name of a topic of the brand, which is not deleted before the transaction ends. @throws 422 on `topic_id` */
export async function requireTopic(trx: Transaction, topicId: string, brandId: string): Promise<string> {
  const topic = await lockTopicForUse(trx, topicId, brandId);
  if (topic === undefined) throw invalidInput('topic_id', 'The brand has no such topic.');
  return topic.name;
}
