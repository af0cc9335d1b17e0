import { Client } from 'pg';

/** For what no person can do: moving time, and writing what only strangers would write. */
export async function runSql(databaseUrl: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** As if nobody had tried anything from this IP prefix yet, which all tests share. */
export const forgetAttempts = (databaseUrl: string): Promise<void> =>
  runSql(databaseUrl, `delete from rate_limits where key like '%ip_prefix%'`);

/** Anyone who was locked out after too many wrong passwords has waited long enough. */
export const endLockout = (databaseUrl: string): Promise<void> =>
  runSql(databaseUrl, `delete from rate_limits where key like 'failed_sign_ins_of_account%'`);

/** The minute in which a send can be undone is over. */
export const endWaitingTime = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set send_date = now(), next_due_at = now() where id = $1', [
    sendId,
  ]);

/** The minute in which a send can be undone has just begun, and takes an hour. */
export const extendWaitingTime = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(
    databaseUrl,
    `update touchpoint_sends set send_date = now() + interval '1 hour', next_due_at = now() + interval '1 hour' where id = $1`,
    [sendId],
  );

/** As if a worker had moved the send on. */
export const setSendStatus = (databaseUrl: string, sendId: string, status: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set status = $2 where id = $1', [sendId, status]);

/** As if the mail server had asked to try all messages of a send that waits for its start again in an hour. */
export async function deferAll(databaseUrl: string, sendId: string, addresses: string[]): Promise<void> {
  await runSql(
    databaseUrl,
    `with send as (
      update touchpoint_sends
      set status = 'sending', send_date = now() - interval '1 minute', next_due_at = now() + interval '1 hour',
        recipients_total_count = cardinality($2::text[])
      where id = $1 returning *
    ), touchpoint as (
      update touchpoints t set status = 'sending' from send s where t.id = s.touchpoint_id returning t.campaign_id
    ), campaign as (
      update campaigns c set status = 'running' from touchpoint t where c.id = t.campaign_id
    ), delivery as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select organization_id, id, number, number, address, '{}'
      from send, unnest($2::text[]) with ordinality a(address, number)
      returning *
    )
    insert into delivery_queue (organization_id, send_id, seq, kind, attempts, due_at)
    select organization_id, send_id, seq, 'deferred', 1, now() + interval '1 hour' from delivery`,
    [sendId, addresses],
  );
}
