import { execute, hasRows, rowsOf, type Row, type Transaction } from '../platform/database/database.ts';

/** Locks a test. @returns false if it was deleted, or a worker has leased its message */
export const lockIdleTest = (trx: Transaction, sendId: string) => hasRows(trx)`
  select from touchpoint_sends s
  where s.organization_id = current_organization_id() and s.id = ${sendId} and s.kind = 'test'
    and not exists (select from delivery_queue q
      where q.organization_id = s.organization_id and q.send_id = s.id and q.worker_id is not null)
  for update
`;

export type TestKey = Row<'deliveries', 'organization_id' | 'send_id'>;

/** Lists the tests sent to this address in the organization of the transaction, in an order that all callers share. */
export const listTestsTo = (trx: Transaction, address: string) => rowsOf<TestKey>(trx)`
  select s.organization_id, s.id as send_id
  from touchpoint_sends s
  join deliveries d on d.organization_id = s.organization_id and d.send_id = s.id
  where s.organization_id = current_organization_id() and s.kind = 'test' and lower(d.address) = lower(${address})
  order by s.id
`;

/** Locks until the transaction ends, so that concurrent tests of one user are all counted. */
export const lockTests = (trx: Transaction, userId: string) =>
  execute(trx)`select pg_advisory_xact_lock(hashtextextended(${`tests of ${userId}`}, 0))`;

/** Lists when the user sent the latest tests of the last hour, oldest first. */
export async function listTestTimes(trx: Transaction, userId: string, limit: number): Promise<Date[]> {
  const rows = await rowsOf<{ created_at: string }>(trx)`
    select created_at from (
      select created_at from touchpoint_sends
      where organization_id = current_organization_id() and kind = 'test' and user_created = ${userId}
        and created_at > now() - interval '1 hour'
      order by created_at desc
      limit ${limit}
    ) latest
    order by created_at
  `;
  return rows.map(({ created_at }) => new Date(created_at));
}
