-- Events that counted as a conversion, and the message that gets it, if any. Without foreign keys, like all tables of events.
create table conversions (
  organization_id uuid not null,
  -- The website.
  touchpoint_id uuid not null,
  event_id uuid not null,
  goal_id uuid not null,
  at timestamptz not null,
  window_days integer not null,
  value numeric(12, 2),
  -- Null once the event of the visitor is no longer kept.
  visitor_id uuid,
  email_touchpoint_id uuid,
  send_id uuid,
  seq integer,
  primary key (organization_id, touchpoint_id, event_id),
  check ((send_id is null) = (seq is null) and (send_id is null) = (email_touchpoint_id is null))
);
create index conversions_of_visitor on conversions (organization_id, touchpoint_id, visitor_id, at) where visitor_id is not null;
create index conversions_of_email on conversions (organization_id, email_touchpoint_id, send_id, seq, at) include (goal_id, value)
  where send_id is not null;
create index conversions_of_goal on conversions (organization_id, goal_id);
-- What the emails that led to conversions on a website are summed up from, without reading the table.
create index conversions_attributed on conversions (organization_id, touchpoint_id, at)
  include (goal_id, value, email_touchpoint_id, send_id, seq) where send_id is not null;
-- The messages of a website with a conversion are counted in this order, each once.
create index conversions_by_message on conversions (organization_id, touchpoint_id, email_touchpoint_id, send_id, seq)
  include (at, goal_id, value) where send_id is not null;
create index conversions_of_website on conversions (organization_id, touchpoint_id, at)
  include (goal_id, value, send_id, visitor_id, event_id);

-- When a visitor followed the link of a message: what conversions are attributed by. Kept for the longest window.
create table followed_links (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  at timestamptz not null,
  send_id uuid not null,
  seq integer not null,
  email_touchpoint_id uuid not null,
  primary key (organization_id, touchpoint_id, visitor_id, at)
);
create index followed_links_of_message on followed_links (organization_id, send_id, seq);
create index followed_links_by_time on followed_links (organization_id, at);

-- What the conversions of a website add up to, by goal and day in UTC. Without foreign keys, like all tables of events.
create table conversion_days (
  organization_id uuid not null,
  -- The website.
  touchpoint_id uuid not null,
  goal_id uuid not null,
  day date not null,
  -- From the start of the day to the end of each quarter of an hour: conversions, their values, and those of a message.
  running_counts integer[] not null,
  running_values numeric[] not null,
  running_attributed integer[] not null,
  primary key (organization_id, touchpoint_id, goal_id, day)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 60);

-- What is not yet added to them: how a statement changed the conversions of a quarter of an hour.
create table conversion_changes (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  position bigint generated always as identity,
  goal_id uuid not null,
  -- The start of the quarter of an hour.
  at timestamptz not null,
  count integer not null,
  value numeric not null,
  attributed integer not null,
  primary key (organization_id, touchpoint_id, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
