import type { Transaction } from '../../platform/database/database.ts';
import { findTopic } from './topic.queries.ts';

/** @returns the topic of an email or a send, if it has one that exists */
export const findTopicOf = async (
  trx: Transaction,
  organizationId: string,
  id: string | null | undefined,
): Promise<{ id: string; name: string } | null> =>
  (id ? await findTopic(trx, organizationId, id) : undefined) ?? null;
