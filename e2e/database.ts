import { Client } from 'pg';

/** For actions that are not possible in the UI: moving time, and storing malicious data. */
export async function runSql(databaseUrl: string, statement: string, values: unknown[] = []): Promise<void> {
  await readSql(databaseUrl, statement, values);
}

async function readSql(databaseUrl: string, statement: string, values: unknown[]): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** @throws Error if counters of ended sends are not those of their rows: no test may make the server report a fault that it has not */
export async function checkBooks(databaseUrl: string): Promise<void> {
  const found = await readSql(databaseUrl, `select * from unbalanced_sends(interval '1 day', 10)`, []);
  if (found.length > 0) throw new Error(`Sends are not balanced: ${JSON.stringify(found)}`);
}

/** Resets the rate limits of the IP prefix, which all tests share. */
export const forgetAttempts = (databaseUrl: string): Promise<void> =>
  runSql(databaseUrl, `delete from rate_limits where key like '%ip_prefix%'`);

/** Ends all lockouts after too many wrong passwords. */
export const endLockout = (databaseUrl: string): Promise<void> =>
  runSql(databaseUrl, `delete from rate_limits where key like 'failed_sign_ins_of_account%'`);

/** Begins the 15 minutes of all lockouts anew, some of which have passed on a slow machine. */
export const restartLockout = (databaseUrl: string): Promise<void> =>
  runSql(
    databaseUrl,
    `update rate_limits set expire = extract(epoch from now() + interval '15 minutes') * 1000
      where key like 'failed_sign_ins_of_account%'`,
  );

/** Ends the minute in which a send can be undone. */
export const endWaitingTime = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set send_date = now(), next_due_at = now() where id = $1', [
    sendId,
  ]);

/** Extends the minute in which a send can be undone to an hour from now. */
export const extendWaitingTime = (databaseUrl: string, sendId: string): Promise<void> =>
  runSql(
    databaseUrl,
    `update touchpoint_sends set send_date = now() + interval '1 hour', next_due_at = now() + interval '1 hour' where id = $1`,
    [sendId],
  );

/** Sets the status of a send, as a worker would. */
export const setSendStatus = (databaseUrl: string, sendId: string, status: string): Promise<void> =>
  runSql(databaseUrl, 'update touchpoint_sends set status = $2 where id = $1', [sendId, status]);

/** Starts a queued send and defers all of its messages by an hour, as after temporary rejections by the mail server. */
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

/** Stores a page view of a new visitor from Germany, as the endpoint for websites does, and folds it. */
export async function storePageView(
  databaseUrl: string,
  organizationId: string,
  touchpointId: string,
  url: string,
): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into unfolded_visitor_events (organization_id, touchpoint_id, id, at, type, visitor_id, url, path, country, is_bot)
     values ($1, $2, gen_random_uuid(), now(), 'VIEW_PAGE', gen_random_uuid(), $3, $4, 'DE', false)`,
    [organizationId, touchpointId, url, new URL(url).pathname],
  );
  await foldVisits(databaseUrl, organizationId);
}

/** After the fold that may be running. */
const foldVisits = (databaseUrl: string, organizationId: string): Promise<void> =>
  runSql(
    databaseUrl,
    `select fold_visitor_events(1000, $1)
     from (select pg_advisory_xact_lock(hashtext('reachout visitors')) offset 0) running`,
    [organizationId],
  );

/** Counts opens and clicks that were stored, as the server does each second, after the fold that may be running. */
export const foldMessages = (databaseUrl: string): Promise<void> =>
  runSql(
    databaseUrl,
    `select fold_message_events(10000)
     from (select pg_advisory_xact_lock(message_fold_lock()) offset 0) running`,
  );

/** Stores page views of twelve pages, `/page-1` once and `/page-12` twelve times, an hour ago, and one three days ago. */
export async function storePageViews(
  databaseUrl: string,
  organizationId: string,
  touchpointId: string,
  origin: string,
): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into unfolded_visitor_events (organization_id, touchpoint_id, id, at, type, visitor_id, url, path, country, is_bot)
     select $1, $2, gen_random_uuid(), at, 'VIEW_PAGE', gen_random_uuid(), $3 || path, path, 'DE', false
     from (
       select now() - interval '1 hour' as at, '/page-' || page as path
       from generate_series(1, 12) page, generate_series(1, page)
       union all
       select now() - interval '3 days', '/page-1'
     ) viewed`,
    [organizationId, touchpointId, origin],
  );
  await foldVisits(databaseUrl, organizationId);
}

/** Stores that seven events of a website were dropped, because their pages are on another host. */
export const storeDrops = (
  databaseUrl: string,
  organizationId: string,
  touchpointId: string,
): Promise<void> =>
  runSql(
    databaseUrl,
    `insert into website_drops (organization_id, touchpoint_id, day, reason, count, last_at)
     values ($1, $2, (now() at time zone 'UTC')::date, 'host', 7, now())`,
    [organizationId, touchpointId],
  );

/** Stores transports that no server or provider was asked about: one that works, and one that fails. */
export const storeTransports = (databaseUrl: string, organizationId: string, name: string): Promise<void> =>
  runSql(
    databaseUrl,
    `insert into transports (organization_id, id, name, settings, error_content, per_second, per_day, left_today) values
       ($1, gen_random_uuid(), $2, $3, null, null, null, null),
       ($1, gen_random_uuid(), $2 || ' SES', $4, 'The security token included in the request is invalid.', 14, 50000, 1234)`,
    [
      organizationId,
      name,
      {
        kind: 'smtp',
        host: 'smtp.nordwind.example',
        port: 587,
        security: 'starttls',
        username: null,
        envelope: 'ours',
      },
      {
        kind: 'ses',
        region: 'eu-central-1',
        access_key_id: 'AKIAABCDEFGHIJKLMNOP',
        configuration_set: null,
        topic_arn: null,
        tenant_name: null,
      },
    ],
  );

/** Stores what a website has taken today. */
export const storeUse = (
  databaseUrl: string,
  organizationId: string,
  touchpointId: string,
  { events, bytes }: { events: number; bytes: number },
): Promise<void> =>
  runSql(
    databaseUrl,
    `insert into website_use (organization_id, touchpoint_id, day, events, bytes)
     values ($1, $2, (now() at time zone 'UTC')::date, $3, $4)`,
    [organizationId, touchpointId, events, bytes],
  );
