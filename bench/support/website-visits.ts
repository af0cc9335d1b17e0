import { sql } from 'kysely';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { newId } from '../../apps/server/src/platform/ids.ts';
import { foldEvents } from '../../apps/server/src/sample/events.ts';
import { insertRows } from '../../apps/server/src/sample/rows.ts';
import { buildWebsite, type TestWebsite } from '../../apps/server/src/testing/tracked-website.ts';
import { say } from './benchmark.ts';

const days = 425;
const eventsPerSession = 4;
const foldedAtOnce = 20_000;

/**
 * Builds a website with visits of the last 14 months: sessions of four events on average, at random times, by 60,000 visitors
 * per million events, of whom some come often. Events are inserted where the endpoint appends them, day by day, and folded as
 * in production, 20,000 at a time. One in a hundred is a goal; of these conversions, two in five are attributed.
 * @returns also the time of the folds alone, for the first and the last tenth of the events, in events per second
 */
export async function buildVisits(
  owner: Database,
  organizationId: string,
  events: number,
): Promise<{ website: TestWebsite; firstRate: number; lastRate: number }> {
  const website = await buildWebsite(owner, { organization_id: organizationId });
  const started = Date.now();
  const sessionsPerDay = Math.ceil(events / days / eventsPerSession);
  // Of each month some, so that it gets its partition.
  await append(owner, website, { day: 0, days, sessions: days, visitors: 1 });
  await fold(owner);
  await sql`select make_partitions_of('visitor_events', null)`.execute(owner);
  await sql`set synchronous_commit = off`.execute(owner);
  const rates: { events: number; ms: number }[] = [];
  const daysAtOnce = Math.max(1, Math.floor(foldedAtOnce / (sessionsPerDay * eventsPerSession)));
  for (let day = 0; day < days; day += daysAtOnce) {
    const count = Math.min(daysAtOnce, days - day);
    await append(owner, website, {
      day,
      days: count,
      sessions: sessionsPerDay * count,
      visitors: Math.ceil(events * 0.06),
    });
    const startedAt = performance.now();
    const folded = await fold(owner);
    rates.push({ events: folded, ms: performance.now() - startedAt });
    // As autovacuum does in 14 months.
    if (day % 60 < daysAtOnce)
      await sql`analyze visitor_events, visitor_sessions, visitor_days, counts, visitor_value_months`.execute(
        owner,
      );
  }
  await addConversions(owner, website);
  await sql`vacuum analyze`.execute(owner);
  const rateOf = (part: typeof rates) =>
    (1_000 * part.reduce((sum, turn) => sum + turn.events, 0)) / part.reduce((sum, turn) => sum + turn.ms, 0);
  const tenth = Math.ceil(rates.length / 10);
  const [firstRate, lastRate] = [rateOf(rates.slice(0, tenth)), rateOf(rates.slice(-tenth))];
  say(`  ${events} events in ${Math.round((Date.now() - started) / 1_000)} s; folded per second: ${Math.round(firstRate)} of the
    first tenth, ${Math.round(lastRate)} of the last`);
  return { website, firstRate, lastRate };
}

async function append(
  owner: Database,
  { organizationId, touchpointId }: TestWebsite,
  part: { day: number; days: number; sessions: number; visitors: number },
): Promise<void> {
  await sql`
    insert into unfolded_visitor_events
      (organization_id, touchpoint_id, id, at, type, visitor_id, name, url, path, title, referrer, referrer_host, language, country,
        width, height, is_bot)
    select ${organizationId}::uuid, ${touchpointId}::uuid, gen_random_uuid(), s.at + e.n * interval '70 seconds', k.type, s.visitor_id,
      case when k.type = 'TRACK' then case when random() < 0.1 then 'purchase' else 'event ' || floor(random() * 11)::integer end end,
      'https://shop.example' || p.path, p.path, 'A page of the shop', case when s.referrer > 0 then 'https://site' || s.referrer || '.example/' end,
      case when s.referrer > 0 then 'site' || s.referrer || '.example' end, 'l' || s.language, 'C' || s.country, s.width, 900, s.is_bot
    from (
      select ${toTime(part.day)}::timestamptz + random() * ${part.days}::integer * interval '1 day' as at,
        md5('visitor ' || floor(${part.visitors}::integer * random() ^ 1.5)::integer)::uuid as visitor_id,
        floor(random() ^ 2 * 81)::integer as referrer, floor(random() ^ 2 * 40)::integer as language,
        floor(random() ^ 2 * 60)::integer as country, (array[390, 820, 1280, 1920])[1 + floor(random() * 4)::integer] as width,
        random() < 0.03 as is_bot, 1 + floor(random() * 7)::integer as events
      from generate_series(1, ${part.sessions}::integer)
    ) s
    cross join lateral generate_series(0, s.events - 1) e(n)
    -- Volatile: each row has its own.
    cross join lateral (select case when random() < 0.1 and e.n >= 0 then 'TRACK' else 'VIEW_PAGE' end as type) k
    cross join lateral (select '/page/' || floor(random() ^ 2 * 300 + 0 * e.n)::integer as path) p
  `.execute(owner);
}

const dayMs = 86_400_000;

const toTime = (day: number): string =>
  new Date(Math.floor(Date.now() / dayMs - days + 1 + day) * dayMs).toISOString();

async function fold(owner: Database): Promise<number> {
  let folded = 0;
  for (;;) {
    const taken = await foldEvents(owner, 'visitor', foldedAtOnce);
    if (taken === 0) return folded;
    folded += taken;
  }
}

/** Stored as the endpoint does for events whose name is a goal, and folded. */
async function addConversions(owner: Database, { organizationId, touchpointId }: TestWebsite): Promise<void> {
  const goal = newId();
  const of = { organization_id: organizationId, touchpoint_id: touchpointId };
  await insertRows(owner, 'conversion_goals', {
    ...of,
    id: goal,
    event: 'purchase',
    value: 20,
    window_days: 7,
  });
  await sql`
    with emails as materialized (
      select array_agg(s.touchpoint_id order by s.id) as touchpoints, array_agg(s.id order by s.id) as sends
      from (select id, touchpoint_id from touchpoint_sends where organization_id = ${organizationId} limit 60) s
    )
    insert into conversions
      (organization_id, touchpoint_id, event_id, goal_id, at, window_days, value, visitor_id, email_touchpoint_id, send_id, seq)
    select v.organization_id, v.touchpoint_id, v.id, ${goal}::uuid, v.at, 7, 20, v.visitor_id, e.touchpoints[v.email], e.sends[v.email],
      case when v.email is not null then 1 + floor(random() * 20000)::integer end
    from (
      select *, case when random() < 0.4 then 1 + floor(random() * 60)::integer end as email
      from visitor_events
      where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and name = 'purchase' and not is_bot
    ) v
    cross join emails e
  `.execute(owner);
  // More than there are quarters of an hour.
  await foldEvents(owner, 'visitor', 100_000);
}
