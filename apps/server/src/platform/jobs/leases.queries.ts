import { sql, type UpdateObject } from 'kysely';
import { rowsOf, execute, valuesOf, type Database, type Transaction } from '../database/database.ts';
import type { DB } from '../database/types.gen.ts';

/** A live worker renews its leases; the leases of a dead worker are taken over immediately (worker_is_alive). */
const leaseEnd = sql<string>`now() + interval '60 seconds'`;

export interface JobRow {
  organization_id: string | null;
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  attempts: number;
  /** Workers, or processes of jobs, that died while it ran, in all of its life. */
  lost_leases: number;
  lease_token: string;
  /** Reason of the previous attempt's failure. */
  error_content: string | null;
}

/** Free slots of a kind, and its maximum of concurrent jobs per organization. */
interface FreeSlots {
  kind: string;
  slots: number;
  perOrganization: number;
}

/**
 * Leases the jobs that have been due longest, round-robin over organizations: those in `served` come after the others.
 * One statement suffices if no job is due. Otherwise an advisory lock serializes the workers, so that the limits of
 * organizations hold.
 */
export async function leaseJobs(
  db: Database,
  workerId: number,
  free: readonly FreeSlots[],
  served: readonly string[],
): Promise<JobRow[]> {
  const due = sql`due_jobs(${free.map(({ kind }) => kind)}::text[], ${free.map(({ slots }) => slots)}::integer[],
    ${free.map(({ perOrganization }) => perOrganization)}::integer[], ${served}::uuid[])`;
  const found = await rowsOf(db)`select from ${due} limit 1`;
  if (found.length === 0) return [];
  return await db.transaction().execute(async (trx) => {
    await execute(trx)`select pg_advisory_xact_lock(hashtext('lease jobs'))`;
    return await rowsOf<JobRow>(trx)`
      update jobs set worker_id = ${workerId}, lease_until = ${leaseEnd}, lease_token = gen_random_uuid(),
        attempts = attempts + 1
      where id in (select due.id from ${due} due(id)) and state = 'open' and worker_id is null
      returning organization_id, id, kind, key, payload, attempts, lost_leases, lease_token, error_content
    `;
  });
}

/**
 * When a job is due that lost its worker. One that lost another before is postponed by 5 to 60 seconds at random: it may be
 * what kills workers, and then runs apart from the jobs it ran with.
 */
const afterDeath = sql<string>`case when lost_leases = 0 then now()
  else now() + (5 + 55 * random()) * interval '1 second' end`;

/**
 * Releases the leases of workers that died, hang, or never learned of their lease.
 * @param inProgress  lease tokens of the jobs that this worker runs, including those leased under an earlier worker id
 */
export const freeLostJobs = (db: Database, workerId: number, inProgress: readonly string[]) => execute(db)`
  update jobs set worker_id = null, lease_until = null,
    lost_leases = lost_leases + (worker_id <> ${workerId})::integer,
    due_at = case when worker_id = ${workerId} then now() else ${afterDeath} end
  where worker_id is not null and lease_token <> all (${inProgress}::uuid[])
    and (worker_id = ${workerId} or lease_until < now() or not worker_is_alive(worker_id))
`;

/**
 * Renews leases, including those that this worker took under an earlier id.
 * @returns the tokens of the leases that this worker still holds
 */
export const renewLeases = (
  db: Database,
  workerId: number,
  inProgress: readonly string[],
) => valuesOf<string>(db)`
  update jobs set worker_id = ${workerId}, lease_until = ${leaseEnd}
  where worker_id is not null and lease_token = any (${inProgress}::uuid[])
  returning lease_token
`;

/**
 * Extends the lease of a job.
 * @param changes  what else a step changes
 * @returns false if the lease is lost
 */
export async function extendLease(
  trx: Transaction,
  { id, leaseToken }: { id: string; leaseToken: string },
  changes: { attempts?: number } = {},
): Promise<boolean> {
  const result = await trx
    .updateTable('jobs')
    .set({ lease_until: leaseEnd, ...changes })
    .where('id', '=', id)
    .where('lease_token', '=', leaseToken)
    .where('worker_id', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

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
