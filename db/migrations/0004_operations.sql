-- Counters of attempts, shared by all processes; the shape is that of rate-limiter-flexible.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index on rate_limits (expire);

-- The first response of an unsafe operation, stored for a repeat with the same key.
create table idempotency_keys (
  user_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  request_hash text not null,
  -- Null while the first request is in progress; other transactions do not see that row before it commits.
  response jsonb,
  created_at timestamptz not null default now(),
  -- The organization whose bytes a stored response counts towards; null for operations without one.
  counted_for uuid,
  primary key (user_id, route, key)
);
create index on idempotency_keys (created_at);

-- One row, written when a process is asked whether it is ready (check_writes): that the database takes a commit.
create table write_checks (
  id boolean primary key default true check (id),
  written_at timestamptz not null
);

-- Background work, one row for each job (apps/server/src/platform/jobs). A payload names records by their ids, and holds no
-- data of people.
create table jobs (
  -- Null for work of the installation itself; a null can be in no primary key.
  organization_id uuid references organizations (id) on delete cascade,
  id uuid primary key,
  kind text not null,
  -- Of the open jobs of a kind, one for each key.
  key text not null,
  payload jsonb not null default '{}',
  state text not null default 'open' check (state in ('open', 'finished', 'failed')),
  due_at timestamptz not null default now(),
  -- Since the job was enqueued, or since it last made progress. Counted when a worker leases it.
  attempts integer not null default 0,
  -- Of the attempts, in a row: the worker ended without a word.
  lost_leases smallint not null default 0,
  worker_id integer,
  lease_until timestamptz,
  -- New with each lease; kept when the lease is taken away, so that a worker that finishes first is believed.
  lease_token uuid,
  -- Of the last attempt that failed.
  error_content text,
  created_at timestamptz not null default now(),
  -- Set when the job has finished or failed.
  ended_at timestamptz
);
create unique index jobs_open_key on jobs (organization_id, kind, key) nulls not distinct where state = 'open';
create index jobs_due on jobs (kind, due_at) where state = 'open' and worker_id is null;
create index jobs_leased on jobs (kind, organization_id) where worker_id is not null;
create index jobs_unfinished on jobs (kind, state) where state <> 'finished';
create index jobs_ended on jobs (ended_at) where ended_at is not null;
