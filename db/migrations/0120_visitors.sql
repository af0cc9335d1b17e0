-- The last path of a session cannot be merged from parts that arrive in any order without reading their events again.
alter table visitor_sessions
  drop column last_path,
  add column tracks integer not null default 0;
alter table visitor_sessions alter column tracks drop default;
-- Partial, although all sessions have events: only statements that ask for that use it. Without statistics PostgreSQL would look
-- for sessions of a visitor in it, which the key finds.
drop index visitor_sessions_organization_id_touchpoint_id_started_at_idx;
create index visitor_sessions_by_start on visitor_sessions (organization_id, touchpoint_id, started_at) where events > 0;
-- Visitors of a period whose session before is within its first, incomplete day.
create index visitor_sessions_by_previous_start on visitor_sessions (organization_id, touchpoint_id, previous_started_at) where previous_started_at is not null;

-- Ids of events whose time the server replaced: a repeat gets another time. Kept for 30 days.
create table replaced_visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, touchpoint_id, id)
);
create index on replaced_visitor_events (created_at);

-- Events per quarter of an hour.
create table visitor_event_totals (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- The start of the quarter.
  at timestamptz not null,
  type text not null,
  -- All names of the day that are not among its most frequent ones, together. A value alone could be forged.
  is_other boolean not null,
  -- Of TRACK events by people; otherwise empty.
  name text not null,
  count bigint not null,
  bot_count bigint not null,
  primary key (organization_id, touchpoint_id, at, type, is_other, name)
);

-- Page views, events and sessions of a day in UTC by what they have in common. Without bots.
create table visitor_day_totals (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  day date not null,
  dimension text not null check (dimension in ('path', 'referrer', 'country', 'language', 'screen', 'event')),
  -- All values that are not among the most frequent ones, together.
  is_other boolean not null,
  -- Empty for none.
  value text not null,
  -- Page views; of the dimension `event`, events.
  count bigint not null,
  -- Sessions that began on that day with this value; none of `path` and `event`.
  sessions bigint not null,
  primary key (organization_id, touchpoint_id, day, dimension, is_other, value)
);

-- Sessions per quarter of an hour of their start.
create table visitor_session_totals (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  at timestamptz not null,
  sessions bigint not null,
  -- Those with at least one such event.
  with_page_views bigint not null,
  with_tracks bigint not null,
  with_identifies bigint not null,
  primary key (organization_id, touchpoint_id, at)
);

-- Sessions by the day of their start and that of the session of the same visitor before, in UTC. The visitors of a period of
-- full days are its sessions whose previous one is before it.
create table visitor_days (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  day date not null,
  -- `-infinity` if there is none.
  previous_day date not null,
  sessions bigint not null,
  primary key (organization_id, touchpoint_id, day, previous_day)
);

-- Rows are updated in place each second: a session by each page view, totals until their day has ended.
alter table visitor_sessions set (fillfactor = 80);
alter table visitor_event_totals set (fillfactor = 60);
alter table visitor_day_totals set (fillfactor = 60);
alter table visitor_session_totals set (fillfactor = 60);
alter table visitor_days set (fillfactor = 60);

-- How long single events and sessions of visitors are kept.
alter table organizations
  add column website_events_days integer not null default 400 check (website_events_days between 30 and 1825);
