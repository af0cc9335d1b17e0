-- What came back: opens, clicks, bounces, unsubscribes. Stored once, read by all (SEND_EMAIL is delivery_results itself).
create table events (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  type text not null check (type in ('SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE')),
  at timestamptz not null,
  link_no integer,
  -- A mail program's proxy or a scanner, not a person.
  automatic boolean not null default false,
  user_agent text,
  -- The network address, truncated to /24 or /48.
  network text,
  primary key (organization_id, id)
);
create index on events (organization_id, touchpoint_id, type, at);

-- One row for each delivery and type, with link_no -1, and for clicks one more for each link: the first event makes it
-- unique, all are counted, and only the first few are kept as rows of events, so that a replayed pixel cannot fill the
-- table.
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
  automatic_count bigint not null,
  first_human_at timestamptz,
  primary key (organization_id, send_id, type, seq, link_no)
);
-- Unique opens and clicks over time.
create index on delivery_event_counts (organization_id, touchpoint_id, type, first_human_at) where link_no = -1;

-- How many events came when, written in the statement that counts them: charts and
-- figures of a period need no look at single deliveries.
create table delivery_event_totals (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  send_id uuid not null,
  type text not null,
  -- The start of a quarter of an hour: hours and days begin with one in every time zone.
  at timestamptz not null,
  -- Deliveries whose first event of this type, by a person, came then.
  unique_count bigint not null,
  human_count bigint not null,
  automatic_count bigint not null,
  primary key (organization_id, touchpoint_id, type, at, send_id)
);
create index on delivery_event_totals (organization_id, send_id, type, at);

