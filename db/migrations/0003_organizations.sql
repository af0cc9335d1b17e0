-- The tenants, who belongs to them, and what each member may do there.
create table organizations (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  logo_url text,
  organization_size_id text references organization_sizes (id) on delete restrict,
  country_id text references countries (id) on delete restrict,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How many recipients an organization may reach in 24 hours once a mail server delivers; null for the limit that the
  -- settings of the installation give to all. Only the operator changes it.
  daily_recipient_limit integer check (daily_recipient_limit >= 0),
  -- Members without a second factor get nothing of such an organization.
  requires_second_factor boolean not null default false,
  -- What an organization may have; null for the numbers that all have. Only the operator changes them.
  contact_limit integer check (contact_limit >= 0),
  template_limit integer check (template_limit >= 0),
  daily_import_limit integer check (daily_import_limit >= 0),
  image_limit integer check (image_limit >= 0),
  -- Null for the limit that the settings of the installation give to all. Only the operator changes it.
  messages_per_minute integer check (messages_per_minute >= 1),
  -- How much the items of an organization may hold; null for what all may. Only the operator changes it.
  content_megabyte_limit integer check (content_megabyte_limit >= 0),
  -- What becomes of a message that may have been sent, in sends whose confirmation does not say it.
  uncertain_policy text not null default 'retry' check (uncertain_policy in ('retry', 'hold')),
  -- How long single events and sessions of visitors are kept.
  website_events_days integer not null default 400 check (website_events_days between 30 and 1825),
  -- What organizations state values of conversions in: ISO 4217.
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  -- Why an operator suspended or deactivated it, in words for those concerned.
  status_reason text check (char_length(status_reason) between 1 and 500),
  -- How many megabytes the files of an organization may take; null for as many as all others.
  file_megabyte_limit integer check (file_megabyte_limit >= 0),
  -- Of each website and day; null for those of all organizations.
  website_event_limit integer check (website_event_limit >= 0),
  website_megabyte_limit integer check (website_megabyte_limit >= 0)
);
create index on organizations (deleted_at) where deleted;

-- What the texts of an organization take beside its content items, which count in content_collections. Kept by triggers
-- (db/functions/owners.sql).
create table stored_bytes (
  organization_id uuid primary key references organizations (id) on delete cascade,
  bytes bigint not null
);

create table organization_addresses (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null references countries (id) on delete restrict,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on organization_addresses (deleted_at) where deleted;

create table organization_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  contact_type_id text not null references organization_contact_types (id) on delete restrict,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on organization_contacts (deleted_at) where deleted;

create table organization_users (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  unique (user_id, organization_id)
);

-- Custom roles. The built-in ones are in the contract (abilities.ts); a custom role cannot take their names.
create table organization_roles (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- What organization_users.role holds; never changed.
  role text not null check (role ~ '^[a-z][a-z0-9_]{0,39}$' and role not in ('owner', 'admin', 'editor', 'analyst', 'guest')),
  name text not null check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, role)
);
create unique index organization_roles_name_taken on organization_roles (organization_id, lower(name));

-- CASL rules of custom roles, in the order in which they apply.
create table role_permissions (
  organization_id uuid not null references organizations (id) on delete cascade,
  role text not null,
  position smallint not null,
  action text not null,
  subject text not null,
  conditions jsonb,
  inverted boolean not null default false,
  primary key (organization_id, role, position),
  foreign key (organization_id, role) references organization_roles (organization_id, role) on delete cascade
);

create table organization_invitations (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Lower case.
  email text not null,
  role text not null,
  client_ids uuid[] not null default '{}',
  language text not null check (language in ('en', 'de')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'cancelled')),
  -- Kept after the invitation was answered, so that a second visit learns what became of it.
  token_hash text not null unique,
  -- To show the link again to members who may invite; null when it is no longer pending.
  token_sealed text,
  -- Whose right to give the role is checked again when it is accepted.
  invited_by uuid references users (id) on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on organization_invitations (organization_id, created_at desc);
create unique index organization_invitations_one_pending on organization_invitations (organization_id, email)
  where status = 'pending';
create index on organization_invitations (email) where status = 'pending';

-- The link by which anybody who has it joins as a guest; an organization has none by default.
create table organization_invitation_links (
  organization_id uuid primary key references organizations (id) on delete cascade,
  token_hash text not null unique,
  token_sealed text not null,
  client_ids uuid[] not null default '{}',
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0 check (uses <= max_uses),
  expires_at timestamptz not null,
  created_by uuid references users (id) on delete set null,
  -- Members who were removed after the link was made cannot come back by it.
  removed_user_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Who got an account through an invitation link and has not joined yet: each holds one of the places of the link.
  signed_up_user_ids uuid[] not null default '{}',
  constraint organization_invitation_links_places_check check (uses + cardinality(signed_up_user_ids) <= max_uses)
);

create table api_keys (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  -- The first characters of the key, to tell keys apart.
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  -- The key can never do more than this member.
  user_id uuid not null references users (id) on delete cascade,
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on api_keys (organization_id, created_at desc);
create index on api_keys (user_id);

-- Who did what to which record, when, from where. Written in the transaction of the change; never changed.
create table audit_log (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  at timestamptz not null default now(),
  -- No foreign key: the entry outlives the account.
  user_id uuid,
  api_key_id uuid,
  -- The operation's name in the contract, such as `clients.update`, or an event outside of it, such as `sign_in`.
  action text not null,
  record_type text,
  record_id text,
  record_name text,
  details jsonb not null default '{}',
  ip_address text,
  user_agent text,
  primary key (organization_id, id)
);
create index on audit_log (organization_id, at desc, id desc);
create index on audit_log (organization_id, record_id, at desc);
create index on audit_log (user_id);
