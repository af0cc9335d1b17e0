import type { SendKind, SendStatus } from '@reachout/contract/states/send.ts';
import { rowsOf, type Database } from '../platform/database/database.ts';

export interface FoundSend {
  /** The work to do; `held`: nothing is due, but the caller asked for its status (`due_sends` in db/functions/work.sql). */
  work: 'prepare' | 'end' | 'single' | 'new' | 'queued' | 'chunk' | 'rest' | 'held';
  organization_id: string;
  send_id: string;
  kind: SendKind;
  status: SendStatus;
  /** ISO 8601; null for a send that is found because its worker died. */
  next_due_at: string | null;
}

export interface DueSendsOptions {
  /** Maximum number of sends to prepare. */
  toPrepare: number;
  /** The organization for which the caller prepared its last send: the turn is that of the next one. */
  preparedFor: string | undefined;
  /** Maximum number of sends of each other kind of work. */
  perList: number;
  /** Whether to include sends that are not due, but have leases of a dead worker. */
  ofDeadWorkers: boolean;
}

/**
 * Finds sends with work to do, over all organizations, once per kind of work, and the sends that the caller is working on.
 * @param held  ids of the caller's sends; those of inactive or deleted organizations are missing from the result
 */
export const findDueSends = (
  db: Database,
  { toPrepare, preparedFor, perList, ofDeadWorkers }: DueSendsOptions,
  held: string[],
) => rowsOf<FoundSend>(db)`
  select * from due_sends(${toPrepare}, ${perList}, ${held}::uuid[], ${ofDeadWorkers},
    ${preparedFor ?? null}::uuid)`;
