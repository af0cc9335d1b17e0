-- Folded events, partitioned by month.
create table visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  type text not null,
  visitor_id uuid not null,
  name text,
  url text not null,
  path text not null,
  title text,
  referrer text,
  referrer_host text,
  language text,
  country text,
  width integer,
  height integer,
  user_id text,
  collection text,
  is_bot boolean not null,
  primary key (organization_id, touchpoint_id, at, id)
) partition by range (at);
create table partitions.visitor_events_default partition of visitor_events default;
alter table partitions.visitor_events_default enable row level security;

-- Events of visitors that were acknowledged and are not folded yet: into visitor_events, sessions and totals.
create table unfolded_visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- Made by the client: a repeated event changes nothing.
  id uuid not null,
  at timestamptz not null,
  -- The time of the client, where the time of the server replaced it.
  client_at timestamptz,
  type text not null check (type in ('VIEW_PAGE', 'IDENTIFY', 'TRACK')),
  -- Of a website: the random id in the cookie of a browser.
  visitor_id uuid not null,
  -- Of a TRACK event.
  name text,
  url text not null,
  path text not null,
  title text,
  referrer text,
  -- Host of the referrer; null for none, and for the site itself.
  referrer_host text,
  language text,
  -- ISO 3166-1 alpha-2, of the address that the event came from.
  country text,
  -- In CSS pixels.
  width integer,
  height integer,
  -- What the page says about its visitor: a hint, never a proof.
  user_id text,
  collection text,
  is_bot boolean not null,
  primary key (organization_id, touchpoint_id, id)
);

-- Ids of events whose time the server replaced: a repeat gets another time. Kept for 30 days.
create table replaced_visitor_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, touchpoint_id, id)
);
create index on replaced_visitor_events (created_at);

-- Visits: events of a visitor without a pause of more than 30 minutes. Without bots.
create table visitor_sessions (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  started_at timestamptz not null,
  -- Its last event.
  ended_at timestamptz not null,
  -- Start of the session before it; null for the first. A visitor counts once in each period: with the session of the period
  -- whose previous one is before it.
  previous_started_at timestamptz,
  page_views integer not null,
  events integer not null,
  first_path text not null,
  referrer_host text,
  language text,
  country text,
  width integer,
  tracks integer not null,
  primary key (organization_id, touchpoint_id, visitor_id, started_at)
-- Rows are updated in place each second: a session by each page view, counts until their day has ended.
) with (fillfactor = 80);
create index visitor_sessions_by_start on visitor_sessions (organization_id, touchpoint_id, started_at) where events > 0;
-- Visitors of a period whose session before is within its first, incomplete day.
create index visitor_sessions_by_previous_start on visitor_sessions (organization_id, touchpoint_id, previous_started_at) where previous_started_at is not null;

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
) with (fillfactor = 60);

-- Events and sessions of websites by day in UTC, in place of a row for each quarter of an hour and name.
create table visitor_count_days (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  subject text not null check (subject in ('event', 'session')),
  day date not null,
  -- Of sessions, those with at least one such event; empty for all sessions.
  type text not null,
  -- How many from the start of the day to the end of each quarter of an hour; of a session, its start counts. Without bots.
  running_counts integer[] not null,
  primary key (organization_id, touchpoint_id, subject, day, type)
-- Room for new versions of a row beside the old one, since no index has the column that changes.
) with (fillfactor = 60);

-- Page views, events and sessions by what they have in common: a row for a month, of which the statistics of a year read few.
create table visitor_value_months (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  dimension text not null
    check (dimension in ('path', 'host', 'referrer', 'country', 'language', 'screen', 'event')),
  -- The first day.
  month date not null,
  -- All values that are not among the most frequent ones, together. A value alone could be forged.
  is_other boolean not null,
  -- Empty for none.
  value text not null,
  -- Page views from the start of the month to the end of each day in UTC; of the dimension `event`, events. Without bots.
  running_counts integer[] not null,
  -- Sessions by the day of their start and the value of their first event; none of `path` and `event`.
  running_sessions integer[] not null,
  primary key (organization_id, touchpoint_id, dimension, month, is_other, value)
) with (fillfactor = 60);

-- Which contact a visitor of a website is, by links in messages that were followed: `content/contacts`. A row holds from its
-- time to that of the next one of the visitor.
create table visitor_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  -- The time of the visitor's event.
  bound_at timestamptz not null,
  -- The message whose link was followed.
  send_id uuid not null,
  seq integer not null,
  -- Of the contact; empty for a single message, whose contact_id is an address.
  collection text not null,
  contact_id text not null,
  -- Bindings of a deleted contact stay until a job has erased what pages said about it.
  is_erased boolean not null default false,
  primary key (organization_id, touchpoint_id, visitor_id, bound_at),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
create index on visitor_contacts (organization_id, contact_id, bound_at);
create index on visitor_contacts (organization_id, send_id, seq);
create index visitor_contacts_erased on visitor_contacts (organization_id) where is_erased;

-- Events that were not stored, by the reason that the organization can see.
create table website_drops (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- In UTC.
  day date not null,
  reason text not null check (reason in ('host', 'inactive', 'limit', 'quota', 'invalid')),
  count bigint not null,
  last_at timestamptz not null,
  primary key (organization_id, touchpoint_id, day, reason)
);

-- What a website has taken on its latest day: a process adds what it took each second (db/functions/visitors.sql).
create table website_use (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- In UTC.
  day date not null,
  events bigint not null,
  bytes bigint not null,
  primary key (organization_id, touchpoint_id)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 60);
