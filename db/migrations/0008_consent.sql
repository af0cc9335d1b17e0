-- Addresses that get no email: from the whole organization, or from one brand.
create table suppressions (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  reason text not null check (reason in ('bounce', 'complaint', 'unsubscribe', 'manual')),
  send_id uuid,
  seq integer,
  created_at timestamptz not null default now(),
  -- How an address came to be suppressed where no send tells it: who entered it, which import, and what was said.
  created_by uuid references users (id) on delete set null,
  import_id uuid,
  note text,
  -- When an imported opt-out was recorded elsewhere. `created_at` stays the time of the import, because running sends look
  -- for suppressions by it.
  occurred_at timestamptz,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
-- To find what names an account that is deleted.
create index on suppressions (created_by) where created_by is not null;
-- For lists and lifts in order of entry; running sends look for new ones by its beginning.
create index on suppressions (organization_id, created_at, id);
-- The addresses that a send has suppressed.
create index on suppressions (organization_id, send_id, created_at) where send_id is not null;

-- What recipients chose, by address, beside `suppressions`; `send_id` and `seq` tell the message whose link they used.
-- Running sends look for what changed by `changed_at`.
create table topic_choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  brand_id uuid not null,
  topic_id uuid not null,
  is_subscribed boolean not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  -- What a choice that a member enters is based on: for subscribing, what allows it.
  basis text check (char_length(basis) between 1 and 500),
  primary key (organization_id, address_key, topic_id),
  foreign key (organization_id, brand_id, topic_id) references topics (organization_id, brand_id, id) on delete cascade
);
create index on topic_choices (organization_id, topic_id);
create index on topic_choices (organization_id, changed_at);
create index on topic_choices (created_by) where created_by is not null;

-- Addresses that get no email of a brand until a time.
create table pauses (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_key text not null,
  brand_id uuid not null,
  until timestamptz not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on pauses (organization_id, changed_at);
create index on pauses (organization_id, brand_id);
create index on pauses (created_by) where created_by is not null;

-- Whether opens and clicks of an address may be measured in emails of a brand.
create table tracking_choices (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_key text not null,
  brand_id uuid not null,
  is_allowed boolean not null,
  source text not null check (source in ('preferences', 'sign_up', 'member')),
  send_id uuid,
  seq integer,
  created_by uuid references users (id) on delete set null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on tracking_choices (organization_id, changed_at);
create index on tracking_choices (organization_id, brand_id);
create index on tracking_choices (created_by) where created_by is not null;

-- Suppressions that a person has lifted, each with the basis for writing to the address again. Rows are never changed.
create table resubscriptions (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Of the suppression, like the next three.
  brand_id uuid,
  address_key text not null,
  reason text not null check (reason in ('bounce', 'complaint', 'unsubscribe', 'manual')),
  send_id uuid,
  -- Null where only the contact said that it is unsubscribed.
  suppressed_at timestamptz,
  basis text not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on resubscriptions (organization_id, address_key, created_at desc);
create index on resubscriptions (created_by) where created_by is not null;

-- Suppressions that were lifted together: who decided it, by which criteria, and how far it has come.
create table suppression_lifts (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Null for every reason that can be lifted.
  reason text check (reason in ('bounce', 'manual')),
  -- The send that caused them; null for any.
  send_id uuid,
  from_at timestamptz,
  to_at timestamptz,
  -- The brands whose suppressions are lifted; null for those of all brands, and for suppressions of the whole organization.
  brand_ids uuid[],
  basis text not null,
  -- Counted when it was confirmed. Those that became opt-outs before their turn are not lifted.
  total_count integer not null,
  lifted_count integer not null default 0,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id)
);
create index on suppression_lifts (organization_id, created_at desc);
create index on suppression_lifts (created_by) where created_by is not null;

-- Forms by which people sign up for mail of a brand: `content/sign-ups`.
create table sign_up_forms (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  collection text not null,
  -- The newest one.
  version integer not null default 1,
  is_active boolean not null,
  confirmed_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Sign-ups that a form takes from one network in an hour, for an event. Null: the setting of the installation.
  network_limit integer check (network_limit between 1 and 10000),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_up_forms (id);
create index on sign_up_forms (organization_id, brand_id);

-- What a form says and asks for. A version never changes, and outlives its form: people have agreed to its text.
create table sign_up_form_versions (
  organization_id uuid not null references organizations (id) on delete cascade,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  form_name text not null,
  -- `[{ name, label, is_required }]`
  fields jsonb not null,
  topic_ids uuid[] not null,
  asks_tracking boolean not null,
  language text not null check (language in ('en', 'de')),
  title text not null check (char_length(title) between 1 and 120),
  consent_text text not null check (char_length(consent_text) between 1 and 2000),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, form_id, version),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_up_form_versions (organization_id, brand_id);
create index on sign_up_form_versions (created_by) where created_by is not null;

-- Requests to sign up, and once they are confirmed, their proof.
create table sign_ups (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  form_id uuid not null,
  version integer not null,
  brand_id uuid not null,
  collection text not null,
  -- As entered, with an ASCII domain.
  address text not null,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  -- By field of the collection.
  field_values jsonb not null,
  -- The chosen ones: `[{ id, name }]`.
  topics jsonb not null,
  -- Null if the form did not ask.
  tracking_consent boolean,
  source_page text,
  requested_at timestamptz not null default now(),
  -- `203.0.113.0/24` or `2001:db8:1::/48`.
  requested_ip_prefix text,
  confirmed_at timestamptz,
  confirmed_ip_prefix text,
  -- The contact that it created or changed.
  contact_id text,
  -- Whether the content backend has the contact; null before the confirmation. Failed: not tried again.
  contact_state text check (contact_state in ('waiting', 'written', 'failed')),
  error_content text check (char_length(error_content) <= 500),
  primary key (organization_id, id),
  foreign key (organization_id, form_id, version) references sign_up_form_versions (organization_id, form_id, version)
    on delete cascade,
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on sign_ups (organization_id, address_key, requested_at desc);
create index on sign_ups (organization_id, brand_id);
create index on sign_ups (organization_id, form_id, version);
create index on sign_ups (organization_id, form_id) where confirmed_at is null;
create index on sign_ups (organization_id, form_id, confirmed_at) where contact_state in ('waiting', 'failed');
create index on sign_ups (requested_at) where confirmed_at is null;
-- By time, for the mails that count towards the daily limit.
create index on sign_ups (organization_id, requested_at);

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
  copy jsonb,
  primary key (organization_id, id),
  check (address_key is not null or state = 'done')
);
create index on data_requests (id);
create index on data_requests (organization_id, requested_at desc, id desc);
create index on data_requests (organization_id, address_key) where address_key is not null;
create index data_requests_kept on data_requests (requested_at) where state = 'unconfirmed' or address_key is not null;

-- The records of copies of persons' data. Each is a row, so that a copy of any size passes through no process as a whole.
create table data_request_records (
  organization_id uuid not null references organizations on delete cascade,
  request_id uuid not null,
  -- The list of the copy that it belongs to, and its place in it.
  list text not null,
  position integer not null,
  -- JSON.
  record text not null,
  primary key (organization_id, request_id, list, position),
  foreign key (organization_id, request_id) references data_requests on delete cascade
);

-- Keyed hashes of addresses whose data was erased on request: an address that comes in again is suppressed.
create table erased_addresses (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_hash text not null check (char_length(address_hash) = 43),
  erased_at timestamptz not null default now(),
  primary key (organization_id, address_hash)
);

-- What people at the office write down about a contact: plain text, with author and time.
create table contact_notes (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  contact_id text not null,
  id uuid not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, collection, contact_id, id)
);
-- To find what names an account that is deleted.
create index on contact_notes (created_by) where created_by is not null;
