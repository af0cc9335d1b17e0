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

-- The job of an account email says when it is due, and who sends it.
insert into jobs (id, kind, key, payload, due_at, attempts)
  select id, 'account_email', id::text, jsonb_build_object('email_id', id), due_at, attempts
  from account_email_outbox where ended_at is null;
alter table account_email_outbox
  drop column due_at, drop column attempts, drop column worker_id, drop column lease_until;

-- The job of an import says which worker has it. An upload that did not come to its end is removed after an hour.
insert into jobs (organization_id, id, kind, key, payload, due_at)
  select organization_id, id, 'import', id::text, jsonb_build_object('import_id', id),
    case status when 'uploading' then created_at + interval '1 hour' else now() end
  from content_imports where status in ('uploading', 'queued', 'running');
drop index content_imports_open;
alter table content_imports drop column worker_id, drop column lease_until;
