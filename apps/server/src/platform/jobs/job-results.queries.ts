import { sql, type UpdateObject } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DB } from '../database/types.gen.ts';
import { afterDeath, type JobRow } from './leases.queries.ts';

/** How an attempt ended. */
export type JobResult =
  | { end: 'finished' }
  | { end: 'failed'; error_content: string }
  /** Does not count as an attempt: the job is due again immediately. */
  | { end: 'interrupted' }
  | { end: 'postponed'; delayMs: number; error_content: string }
  /** The process that ran it did. */
  | { end: 'died' }
  /** Result of a recurring job. */
  | { end: 'repeated'; delayMs: number; error_content: string | null };

/** Stores the result of an attempt. Does nothing if another worker has leased the job since. */
export async function storeJobResult(
  db: Database,
  { id, lease_token }: Pick<JobRow, 'id' | 'lease_token'>,
  result: JobResult,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ worker_id: null, lease_until: null, ...columnsOf(result) })
    .where('id', '=', id)
    .where('lease_token', '=', lease_token)
    .where('state', '=', 'open')
    .execute();
}

function columnsOf(result: JobResult): UpdateObject<DB, 'jobs'> {
  const now = sql<string>`now()`;
  switch (result.end) {
    case 'finished':
      return { state: 'finished', error_content: null, ended_at: now };
    case 'failed':
      return { state: 'failed', error_content: result.error_content, ended_at: now };
    case 'interrupted':
      return { attempts: sql<number>`attempts - 1`, due_at: now };
    case 'died':
      return { lost_leases: sql<number>`lost_leases + 1`, due_at: afterDeath };
    default: {
      const due_at = sql<string>`now() + ${result.delayMs} * interval '1 millisecond'`;
      const postponed = { due_at, error_content: result.error_content };
      // Each run of a recurring job is one of its own.
      return result.end === 'repeated' ? { ...postponed, attempts: 0, lost_leases: 0 } : postponed;
    }
  }
}
