import type { Transaction } from '../../platform/database/database.ts';
import { storePause, storeTopicChoices, storeTrackingChoice, type ChoiceKey } from './choices.queries.ts';

export interface PastChoices {
  topics?: readonly { topicId: string; isSubscribed: boolean }[];
  pausedUntil?: Date;
  isTrackingAllowed?: boolean;
  /** What a member's choice of the topics is based on. */
  basis?: string;
}

/** Stores what an address chose about a brand at a time in the past. */
export async function choosePast(
  trx: Transaction,
  key: ChoiceKey & { at: Date },
  { topics = [], pausedUntil, isTrackingAllowed, basis }: PastChoices,
): Promise<void> {
  if (topics.length > 0) await storeTopicChoices(trx, { ...key, basis: basis ?? null }, topics);
  if (pausedUntil !== undefined) await storePause(trx, key, pausedUntil);
  if (isTrackingAllowed !== undefined) await storeTrackingChoice(trx, key, isTrackingAllowed);
}
