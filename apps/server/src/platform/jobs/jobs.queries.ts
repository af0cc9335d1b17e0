import { sql } from 'kysely';
import { execute, type Database, type Transaction } from '../database/database.ts';
import type { DeleteBatch } from '../database/delete-rows.ts';

interface JobName {
  organizationId: string | null;
  kind: string;
  key: string;
}

/** @returns the number of open jobs of this kind, at most `maxCount` */
export async function countOpenJobs(
  trx: Transaction,
  { organizationId, kind, maxCount }: Omit<JobName, 'key'> & { maxCount: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count_open_jobs(${kind}, ${organizationId === null}, ${maxCount}) as count
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/**
 * Does nothing while a job with this key is open. `on conflict` names no index, because the caller may not be able to see
 * the jobs of the installation.
 */
export const insertJob = (
  db: Database | Transaction,
  job: JobName & { id: string; payload: unknown; delayMs: number },
) => execute(db)`
  insert into jobs (organization_id, id, kind, key, payload, due_at)
  values (${job.organizationId}, ${job.id}, ${job.kind}, ${job.key}, ${JSON.stringify(job.payload)}::jsonb,
    now() + ${job.delayMs} * interval '1 millisecond')
  on conflict do nothing
`;

export async function isOpenJob(trx: Transaction, { organizationId, kind, key }: JobName): Promise<boolean> {
  const job = await trx
    .selectFrom('jobs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return job !== undefined;
}

export async function hastenOpenJob(trx: Transaction, { organizationId, kind, key }: JobName): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ due_at: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('state', '=', 'open')
    .execute();
}

export async function deleteOpenJob(trx: Transaction, { organizationId, kind, key }: JobName): Promise<void> {
  await trx
    .deleteFrom('jobs')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('state', '=', 'open')
    .execute();
}

/** Deletes jobs 7 days after their end; failed ones, which can be retried until then, after 30 days. */
export const deleteOldJobs: DeleteBatch = async (trx, limit) => {
  const { numAffectedRows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where ended_at < now() - interval '7 days' and (state <> 'failed' or ended_at < now() - interval '30 days')
      limit ${limit}
    )
  `.execute(trx);
  return Number(numAffectedRows);
};
