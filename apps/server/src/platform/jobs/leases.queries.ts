import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';

/** A worker that lives renews its leases; that of a worker that died is taken over at once (worker_is_alive). */
const leaseEnd = sql<string>`now() + interval '60 seconds'`;

export interface JobRow {
  organization_id: string | null;
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  attempts: number;
  lost_leases: number;
  lease_token: string;
  /** Of the attempt before. */
  error_content: string | null;
}

/** Free slots of a kind, and how many jobs of one organization may run. */
export interface FreeSlots {
  kind: string;
  slots: number;
  perOrganization: number;
}

/**
 * Leases the jobs that have been due longest, round-robin over organizations: those in `served` are next after others. A look that finds nothing is one statement;
 * those of several workers that find something come one after the other, so that the limits of organizations hold.
 */
export async function leaseJobs(
  db: Database,
  workerId: number,
  free: readonly FreeSlots[],
  served: readonly string[],
): Promise<JobRow[]> {
  const due = sql`due_jobs(${free.map(({ kind }) => kind)}::text[], ${free.map(({ slots }) => slots)}::integer[],
    ${free.map(({ perOrganization }) => perOrganization)}::integer[], ${served}::uuid[])`;
  const { rows: found } = await sql`select from ${due} limit 1`.execute(db);
  if (found.length === 0) return [];
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('lease jobs'))`.execute(trx);
    const { rows } = await sql<JobRow>`
      update jobs set worker_id = ${workerId}, lease_until = ${leaseEnd}, lease_token = gen_random_uuid(),
        attempts = attempts + 1
      where id in (select due.id from ${due} due(id)) and state = 'open' and worker_id is null
      returning organization_id, id, kind, key, payload, attempts, lost_leases, lease_token, error_content
    `.execute(trx);
    return rows;
  });
}

/**
 * Makes jobs free whose worker died, hangs, or never learned of its lease. A job whose worker was lost with it more than
 * once waits for some moment of the next minute: it may be what ends workers, and runs apart from those that were with it.
 * @param inProgress  tokens of what this worker runs, under whatever id it took it
 */
export async function freeLostJobs(
  db: Database,
  workerId: number,
  inProgress: readonly string[],
): Promise<void> {
  await sql`
    update jobs set worker_id = null, lease_until = null,
      lost_leases = lost_leases + (worker_id <> ${workerId})::integer,
      due_at = case when lost_leases = 0 or worker_id = ${workerId} then now()
        else now() + (5 + 55 * random()) * interval '1 second' end
    where worker_id is not null and lease_token <> all (${inProgress}::uuid[])
      and (worker_id = ${workerId} or lease_until < now() or not worker_is_alive(worker_id))
  `.execute(db);
}

/**
 * Renews leases, also those that this worker took under an earlier id.
 * @returns the tokens of those that are still this worker's
 */
export async function renewLeases(
  db: Database,
  workerId: number,
  inProgress: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ lease_token: string }>`
    update jobs set worker_id = ${workerId}, lease_until = ${leaseEnd}
    where worker_id is not null and lease_token = any (${inProgress}::uuid[])
    returning lease_token
  `.execute(db);
  return rows.map(({ lease_token }) => lease_token);
}

/** The job made progress: its attempts count from here. @returns false when the lease is lost */
export async function extendLease(trx: Transaction, id: string, leaseToken: string): Promise<boolean> {
  const result = await trx
    .updateTable('jobs')
    .set({ lease_until: leaseEnd, attempts: 1, lost_leases: 0 })
    .where('id', '=', id)
    .where('lease_token', '=', leaseToken)
    .where('worker_id', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
