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

/** As if nobody had tried anything yet: what is counted of a network is counted of all tests together. */
export const forgetAttempts = (databaseUrl: string): Promise<void> =>
  runSql(databaseUrl, 'delete from rate_limits');

/** The minute in which a send can be undone is over. */
export const endWaitingTime = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set send_date = now() where id = $1', [sendId]);
