-- Settings of tracked websites. The token is public: it is in the pages of the site, and only adds events to this website.
alter table touchpoint_websites
  -- Lower case, with a port if it is not the default one. Events of pages on other hosts are dropped.
  add column hosts text[] not null default '{}',
  add column token text,
  add column token_rotated_at timestamptz,
  add column updated_at timestamptz not null default now();
update touchpoint_websites set token = left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 43);
alter table touchpoint_websites
  alter column token set not null,
  add check (token ~ '^[\w-]{32,64}$'),
  add check (cardinality(hosts) <= 20);

-- Websites are found by their id alone, which each request of a tracking client names.
create index on touchpoint_websites (id);

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
  last_path text not null,
  referrer_host text,
  language text,
  country text,
  width integer,
  primary key (organization_id, touchpoint_id, visitor_id, started_at)
);
create index on visitor_sessions (organization_id, touchpoint_id, started_at);

-- Events that were not stored, by the reason that the organization can see.
create table website_drops (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- In UTC.
  day date not null,
  reason text not null check (reason in ('host', 'inactive', 'limit', 'invalid')),
  count bigint not null,
  last_at timestamptz not null,
  primary key (organization_id, touchpoint_id, day, reason)
);
