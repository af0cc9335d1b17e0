import { sql } from 'kysely';
import type { Row, Transaction } from '../platform/database/database.ts';

/** Locks a test. @returns false if it was deleted, or a worker has leased its message */
export async function lockIdleTest(trx: Transaction, sendId: string): Promise<boolean> {
  const { rows } = await sql`
    select from touchpoint_sends s
    where s.organization_id = current_organization_id() and s.id = ${sendId} and s.kind = 'test'
      and not exists (select from delivery_queue q
        where q.organization_id = s.organization_id and q.send_id = s.id and q.worker_id is not null)
    for update
  `.execute(trx);
  return rows.length > 0;
}

export type TestKey = Row<'deliveries', 'organization_id' | 'send_id'>;

/** Lists the tests sent to this address in the organization of the transaction, in an order that all callers share. */
export async function listTestsTo(trx: Transaction, address: string): Promise<TestKey[]> {
  const { rows } = await sql<TestKey>`
    select s.organization_id, s.id as send_id
    from touchpoint_sends s
    join deliveries d on d.organization_id = s.organization_id and d.send_id = s.id
    where s.organization_id = current_organization_id() and s.kind = 'test' and lower(d.address) = lower(${address})
    order by s.id
  `.execute(trx);
  return rows;
}

/** Locks until the transaction ends, so that concurrent tests of one user are all counted. */
export async function lockTests(trx: Transaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tests of ${userId}`}, 0))`.execute(trx);
}

/** Lists when the user sent the latest tests of the last hour, oldest first. */
export async function listTestTimes(trx: Transaction, userId: string, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ created_at: string }>`
    select created_at from (
      select created_at from touchpoint_sends
      where organization_id = current_organization_id() and kind = 'test' and user_created = ${userId}
        and created_at > now() - interval '1 hour'
      order by created_at desc
      limit ${limit}
    ) latest
    order by created_at
  `.execute(trx);
  return rows.map(({ created_at }) => new Date(created_at));
}
