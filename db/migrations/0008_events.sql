-- Opens, clicks, bounces and unsubscribes. SEND_EMAIL events are the rows of delivery_results.
create table events (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  type text not null check (type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE')),
  at timestamptz not null,
  link_no integer,
  -- Caused by the proxy of a mail program or by a scanner, not by a person.
  is_bot boolean not null default false,
  user_agent text,
  -- The IP address, truncated to /24 or /48.
  ip_prefix text,
  primary key (organization_id, id)
);
create index on events (organization_id, touchpoint_id, type, at);

-- Counts for each delivery and type (link_no -1), and for clicks for each link too. All events are counted, but only the
-- first few are stored as rows of events, so that a replayed pixel cannot fill the table.
create table delivery_event_counts (
  organization_id uuid not null references organizations (id) on delete cascade,
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
  organization_id uuid not null references organizations (id) on delete cascade,
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

