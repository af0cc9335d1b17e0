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

insert into conversion_changes (organization_id, touchpoint_id, goal_id, at, count, value, attributed)
  select organization_id, touchpoint_id, goal_id, date_bin('15 minutes', at, 'epoch'), count(*), coalesce(sum(value), 0),
    count(send_id)
  from conversions
  group by 1, 2, 3, 4;

-- The messages of a website with a conversion are counted in this order, each once.
create index conversions_by_message on conversions (organization_id, touchpoint_id, email_touchpoint_id, send_id, seq)
  include (at, goal_id, value) where send_id is not null;
