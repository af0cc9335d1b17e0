import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockTopicForUse } from './topic.queries.ts';

/** @returns the name of a topic of the brand, which is not deleted before the transaction ends. @throws 422 on `topic_id` */
export async function requireTopic(trx: Transaction, topicId: string, brandId: string): Promise<string> {
  const topic = await lockTopicForUse(trx, topicId, brandId);
  if (topic === undefined) throw invalidInput('topic_id', 'The brand has no such topic.');
  return topic.name;
}
