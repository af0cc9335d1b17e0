import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { jobTransitions, type JobState } from '@reachout/contract/states/job.ts';
import { listBefore } from '@reachout/contract/states/transitions.ts';
import { rowsOf, type Transaction } from '../database/database.ts';
import { countRows, type Paging } from '../database/list-page.ts';

/** Lists the jobs that are open or have failed, newest first, without payloads. */
export async function listUnfinishedJobs(
  trx: Transaction,
  { kind, state, page, page_size }: Paging & { kind?: string | undefined; state?: JobState | undefined },
) {
  let found = trx.selectFrom('jobs').where('state', '<>', 'finished');
  if (kind !== undefined) found = found.where('kind', '=', kind);
  if (state !== undefined) found = found.where('state', '=', state);
  const items = await found
    .select(['organization_id', 'id', 'kind', 'state', 'attempts', 'due_at', 'created_at', 'error_content'])
    .select(sql<boolean>`worker_id is not null`.as('is_running'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  return { items, count: await countRows(found) };
}

export interface KindFigures {
  kind: string;
  open: number;
  running: number;
  failed: number;
  /** Due time of the job that has waited longest. */
  oldest_due_at: string | null;
}

export const listJobFigures = (trx: Transaction) => rowsOf<KindFigures>(trx)`
  select kind, count(*) filter (where state = 'open') as open, count(*) filter (where worker_id is not null) as running,
    count(*) filter (where state = 'failed') as failed,
    min(due_at) filter (where state = 'open' and worker_id is null and due_at <= now()) as oldest_due_at
  from jobs where state <> 'finished'
  group by kind
  order by kind
`;

export async function findJobState(trx: Transaction, id: string): Promise<JobState | undefined> {
  const row = await trx.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst();
  return row?.state;
}

/** @returns false if the job has not failed, or another job with its key is open */
export async function reopenJob(trx: Transaction, id: string): Promise<boolean> {
  await sql`savepoint before_reopen`.execute(trx);
  try {
    return await updateFailedJob(trx, id);
  } catch (error) {
    // A concurrent transaction opened another job with this key, not yet visible to the statement.
    if (!(error instanceof DatabaseError && error.constraint === 'jobs_open_key')) throw error;
    await sql`rollback to savepoint before_reopen`.execute(trx);
    return false;
  }
}

async function updateFailedJob(trx: Transaction, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update jobs set state = 'open', due_at = now(), attempts = 0, lost_leases = 0, ended_at = null
    where id = ${id} and state = any (${listBefore(jobTransitions, 'open')}) and not exists (
      select from jobs o
      where o.organization_id is not distinct from jobs.organization_id and o.kind = jobs.kind and o.key = jobs.key
        and o.state = 'open'
    )
  `.execute(trx);
  return numAffectedRows === 1n;
}
