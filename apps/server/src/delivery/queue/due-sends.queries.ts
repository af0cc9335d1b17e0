import { sql } from 'kysely';
import type { SendKind, SendStatus } from '@reachout/contract/states/send.ts';
import type { Database } from '../../platform/database/database.ts';

export interface FoundSend {
  /** What is to be done; `held`: nothing is due, and its status was asked for (`due_sends` in db/functions/work.sql). */
  work: 'prepare' | 'end' | 'single' | 'new' | 'queued' | 'chunk' | 'rest' | 'held';
  organization_id: string;
  send_id: string;
  kind: SendKind;
  status: SendStatus;
  /** ISO 8601; null for one that is found because its worker died. */
  next_due_at: string | null;
}

/**
 * Sends with something to do, over all organizations, once for each kind of work, and those that the caller works on.
 * @param held  ids; those that may not go on at all are missing in the answer
 */
export async function findDueSends(
  db: Database,
  { toPrepare, perList }: { toPrepare: number; perList: number },
  held: string[],
): Promise<FoundSend[]> {
  const { rows } = await sql<FoundSend>`
    select * from due_sends(${toPrepare}, ${perList}, ${held}::uuid[])`.execute(db);
  return rows;
}
