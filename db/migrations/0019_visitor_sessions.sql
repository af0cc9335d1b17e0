-- What folding a visit reads and writes of older ones stays in memory, however many there are.
alter table visitor_sessions
  add column previous_day date generated always as ((previous_started_at at time zone 'UTC')::date) stored,
  -- In the key: of most visitors who come back, it tells that their last session has ended, without reading its row. It changes at
  -- most once, so that the row of a session is updated in place by each page view.
  add column is_long boolean not null generated always as (ended_at - started_at > interval '6 hours') stored,
  drop constraint visitor_sessions_pkey,
  add primary key (organization_id, touchpoint_id, visitor_id, started_at) include (is_long);

-- A session of a visitor who was here before adds its row at one place for each day before; by the time itself, it would be anywhere
-- in the index. A column, because policies keep expressions from being looked up.
drop index visitor_sessions_by_previous_start;
create index visitor_sessions_by_previous_day on visitor_sessions (organization_id, touchpoint_id, previous_day, started_at)
  where previous_day is not null;
