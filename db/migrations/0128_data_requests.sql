-- What recipients ask for about their own data: `operations/data-requests`. Requests outlive the brand and the message that led
-- to them, so neither is a foreign key.
create table data_requests (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('copy', 'erasure')),
  brand_id uuid not null,
  -- The message whose link led here.
  send_id uuid not null,
  seq integer not null,
  -- The normalized address: lower case, domain in ASCII. Null once the request needs it no more.
  address_key text check (char_length(address_key) between 3 and 254),
  language text not null check (language in ('en', 'de')),
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'running', 'waiting', 'done', 'failed')),
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz check ((confirmed_at is null) = (state = 'unconfirmed')),
  ended_at timestamptz check ((ended_at is not null) = (state = 'done')),
  -- Why it waits for a member, or failed: class, and text to show.
  failure text check (char_length(failure) <= 40),
  error_content text check (char_length(error_content) <= 500),
  -- The copy, as JSON in UTF-8. A few days later, nothing of it is left.
  copy bytea check (octet_length(copy) <= 20000000),
  primary key (organization_id, id),
  check (address_key is not null or state = 'done')
);
create index on data_requests (id);
create index on data_requests (organization_id, requested_at desc, id desc);
create index on data_requests (organization_id, address_key) where address_key is not null;
create index data_requests_kept on data_requests (requested_at) where state = 'unconfirmed' or address_key is not null;

-- Keyed hashes of addresses whose data was erased on request: an address that comes in again is suppressed.
create table erased_addresses (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_hash text not null check (char_length(address_hash) = 43),
  erased_at timestamptz not null default now(),
  primary key (organization_id, address_hash)
);

-- Bindings of a deleted contact stay until a job has erased what pages said about it.
alter table visitor_contacts add column is_erased boolean not null default false;
create index visitor_contacts_erased on visitor_contacts (organization_id) where is_erased;
