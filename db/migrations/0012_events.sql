-- Opens, clicks, bounces and unsubscribes. SEND_EMAIL events are the rows of delivery_results. Each open and click writes a row of
-- each of these tables: no foreign key is checked for it. Statements that store events look for the organization once, and erasing
-- it deletes its rows (operations/retention).
create table events (
  organization_id uuid not null,
  id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  -- A message is visited when its link led a person to a tracked website.
  type text not null
    check (type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE')),
  at timestamptz not null,
  link_no integer,
  -- Caused by the proxy of a mail program or by a scanner, not by a person.
  is_bot boolean not null default false,
  user_agent text,
  -- The IP address, truncated to /24 or /48.
  ip_prefix text,
  -- Of a click, from the network address, which is not stored: ISO 3166-1 alpha-2.
  country text,
  -- One index for the key and for everything that is looked up, by touchpoint, type and time.
  primary key (organization_id, touchpoint_id, type, at, id)
) partition by range (at);
create table partitions.events_default partition of events default;
alter table partitions.events_default enable row level security;

-- Opens and clicks that were acknowledged and are not folded yet: into events, counts, totals, sums and
-- days.
create table unfolded_message_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  -- The order of storing: it decides which event is the first.
  position bigint generated always as identity,
  seq integer not null,
  -- OPEN_EMAIL or CLICK.
  type text not null,
  at timestamptz not null,
  -- Null except for clicks.
  link_no integer,
  is_bot boolean not null,
  -- Instead of is_bot: a person's if no person has opened the message before, else a bot's.
  is_first_only boolean not null,
  id uuid not null,
  user_agent text,
  ip_prefix text,
  country text,
  primary key (organization_id, touchpoint_id, send_id, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
-- The oldest are folded first.
create index on unfolded_message_events (position);

-- Counts for each delivery and type (link_no -1), and for clicks for each link too. All events are counted, but only the
-- first few are stored as rows of events, so that a replayed pixel cannot fill the table.
create table delivery_event_counts (
  organization_id uuid not null,
  send_id uuid not null,
  type text not null,
  seq integer not null,
  -- -1 is the message as a whole.
  link_no integer not null,
  touchpoint_id uuid not null,
  -- 64 bits: one address replayed for days must not make a batch fail.
  human_count bigint not null,
  bot_count bigint not null,
  first_human_at timestamptz,
  primary key (organization_id, send_id, type, seq, link_no)
);
-- Unique opens and clicks over time.
create index on delivery_event_counts (organization_id, touchpoint_id, type, first_human_at) where link_no = -1;

-- Counts for each quarter of an hour, written in the statement that counts: charts and metrics of a period do not read
-- single deliveries.
create table delivery_event_totals (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  type text not null,
  -- The start of the quarter of an hour: hours and days begin with one in every time zone.
  at timestamptz not null,
  -- Deliveries whose first event of this type by a person is in this quarter.
  unique_count bigint not null,
  human_count bigint not null,
  bot_count bigint not null,
  primary key (organization_id, touchpoint_id, type, at, send_id)
);
create index on delivery_event_totals (organization_id, send_id, type, at);

-- Events of each send by type, over all time: lists order and show records by these, and so does not add up quarters of an
-- hour. Changes with `delivery_event_totals`, in the same statement.
create table delivery_event_sums (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  type text not null,
  -- Messages with at least one event by a person.
  unique_count bigint not null,
  human_count bigint not null,
  bot_count bigint not null,
  primary key (organization_id, touchpoint_id, send_id, type)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 70);
create index on delivery_event_sums (organization_id, send_id);

-- Messages by the first event of each type by a person: a row for each send, type and day in UTC. The dashboard adds up a
-- quarter of a year of all emails, and reads these instead of the quarters of an hour, of which there are forty times as
-- many. Changes with `delivery_event_totals`, in the same statement.
create table delivery_event_days (
  organization_id uuid not null,
  day date not null,
  send_id uuid not null,
  type text not null,
  -- How many messages from the start of the day to the end of each quarter of an hour. The days of a time zone begin with
  -- one, so their part of this day is the difference of two.
  running_counts integer[] not null,
  primary key (organization_id, day, send_id, type)
-- Room for new versions of a row beside the old one, since no index has the column that changes.
) with (fillfactor = 70);
create index on delivery_event_days (organization_id, send_id);
