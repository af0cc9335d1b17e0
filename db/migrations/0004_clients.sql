-- Keys of tenant tables begin with organization_id, so that the tables can be distributed by it. The indexes on id alone
-- are for organization_of(), the one place that finds the organization of a bare id.
create table clients (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  logo_url text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on clients (id);
create index on clients (organization_id, lower(name));
-- Every picture on screen asks whose logo it is.
create index on clients (organization_id, logo_url) where logo_url is not null;
create index on clients (deleted_at) where deleted;

create table client_addresses (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  client_id uuid not null,
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
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_addresses (organization_id, client_id);
create index on client_addresses (deleted_at) where deleted;

create table client_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  client_id uuid not null,
  contact_type_id text not null references client_contact_types (id) on delete restrict,
  full_name text not null,
  email text,
  phone text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_contacts (organization_id, client_id);
create index on client_contacts (deleted_at) where deleted;

create table client_socials (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  client_id uuid not null,
  network text not null,
  url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on client_socials (organization_id, client_id);

create table brands (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  client_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  logo_url text,
  error_content text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on brands (id);
create index on brands (organization_id, client_id);
create index on brands (organization_id, logo_url) where logo_url is not null;
create index on brands (deleted_at) where deleted;

-- The clients that a member is limited to, where the role's rules say `${client_ids}`.
create table organization_user_clients (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null,
  client_id uuid not null,
  primary key (organization_id, user_id, client_id),
  foreign key (organization_id, user_id) references organization_users (organization_id, user_id) on delete cascade,
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on organization_user_clients (organization_id, client_id);
