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

/** As if a worker had moved the send on. */
export const setSendStatus = (databaseUrl: string, sendId: string, status: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set status = $2 where id = $1', [sendId, status]);
