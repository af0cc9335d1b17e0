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

export interface DueSendsOptions {
  /** At most so many whose audience is to be stored. */
  toPrepare: number;
  /** At most so many of each other kind of work. */
  perList: number;
  /** Also those that are not due, and of which a worker holds something that died. */
  ofDeadWorkers: boolean;
}

/**
 * Sends with something to do, over all organizations, once for each kind of work, and those that the caller works on.
 * @param held  ids; those that may not go on at all are missing in the answer
 */
export async function findDueSends(
  db: Database,
  { toPrepare, perList, ofDeadWorkers }: DueSendsOptions,
  held: string[],
): Promise<FoundSend[]> {
  const { rows } = await sql<FoundSend>`
    select * from due_sends(${toPrepare}, ${perList}, ${held}::uuid[], ${ofDeadWorkers})`.execute(db);
  return rows;
}
