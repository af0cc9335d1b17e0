-- A key of Elastic Email is kept without a Directus, too: `none` is a row that has only the key.
alter table organization_directus
  alter column endpoint drop not null,
  drop constraint organization_directus_state_check,
  drop constraint organization_directus_check,
  add constraint organization_directus_state_check check (state in ('none', 'connected', 'failing', 'disconnected')),
  add constraint organization_directus_check check ((access_token is null) = (state in ('none', 'disconnected'))),
  add constraint organization_directus_endpoint_state_check check ((endpoint is null) = (state = 'none'));

-- By which ways the emails of an organization may leave beside the mail server of the installation (docs/transports.md).
create table transports (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- `TransportSettings` of the contract; no secrets.
  settings jsonb not null check (settings ->> 'kind' in ('smtp', 'elastic_email', 'ses')),
  -- Encrypted; a password or secret access key. The key of Elastic Email is in organization_directus.
  secret text,
  -- Encrypted; with which Elastic Email signs what it reports.
  webhook_secret text,
  -- Counts changes of settings and secrets: workers open it again.
  version integer not null default 1,
  -- What the server or provider said when it was last checked or used; null while it works.
  error_content text check (char_length(error_content) <= 500),
  checked_at timestamptz not null default now(),
  -- Limits of the provider, as it said them at the last check; null: it says none.
  per_second double precision check (per_second > 0),
  per_day integer check (per_day >= 0),
  open_requests integer check (open_requests > 0),
  -- Messages that it takes until it is asked again.
  left_today integer,
  -- Up to when its list of suppressed addresses is read.
  suppressions_read_at timestamptz,
  suppressions_due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

-- Which transport sends: that of the brand, else that of the organization, else the installation's.
create table transport_choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Null: of all brands that have no choice.
  brand_id uuid,
  -- Null: the installation's.
  transport_id uuid,
  chosen_for uuid generated always as (coalesce(brand_id, organization_id)) stored,
  primary key (organization_id, chosen_for),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade,
  foreign key (organization_id, transport_id) references transports (organization_id, id) on delete cascade
);
create index on transport_choices (organization_id, brand_id) where brand_id is not null;
create index on transport_choices (organization_id, transport_id) where transport_id is not null;

-- The transports that took messages of the send, in the order of their first: `[{"id", "name"}]`, with a null id for the installation's.
alter table touchpoint_send_contents add transports jsonb not null default '[]';
-- Index into these; null for the first, which takes all of most sends.
alter table delivery_results add transport_no smallint;

-- What providers report waits with returned mail, as `p.<transport>`: each has a share of what may wait.
create index on returned_mail (mailbox) where mailbox like 'p.%';
