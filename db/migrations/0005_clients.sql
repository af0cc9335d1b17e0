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
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What makes a brand recognizable, on screen and in its emails.
  color text not null check (color in (
    'red', 'orange', 'amber', 'olive', 'green', 'teal', 'cyan', 'blue', 'indigo', 'violet', 'magenta', 'slate')),
  -- For dark backgrounds; logo_url is for light ones, and for both without this.
  dark_logo_url text,
  -- What new emails begin with.
  from_name text not null default '' check (char_length(from_name) <= 120),
  from_email text not null default '' check (char_length(from_email) <= 254),
  reply_to text check (char_length(reply_to) <= 254),
  -- Who sends, as the law asks for it in each email: plain text of several lines.
  postal_address text not null default '' check (char_length(postal_address) <= 500),
  imprint text not null default '' check (char_length(imprint) <= 2000),
  imprint_url text check (char_length(imprint_url) <= 2000),
  -- Of the quiet hours of sends without a schedule; IANA name, null: UTC.
  time_zone text check (char_length(time_zone) between 1 and 64),
  -- No message starts within these hours.
  quiet_hours_start time,
  quiet_hours_end time,
  -- Whose opens and clicks are measured in emails of a brand. A new brand is asked; the default is for rows that other
  -- statements insert.
  tracking_policy text not null default 'with_consent' check (tracking_policy in ('everyone', 'with_consent', 'nobody')),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  -- Collections of contacts, templates, audiences and domains belong to a brand, to a client and all its brands, or with neither to
  -- the organization, which shares them with all of its clients. A brand stands beside its client, and never without it.
  unique (organization_id, client_id, id),
  constraint brands_quiet_hours_check check (
    (quiet_hours_start is null) = (quiet_hours_end is null) and (quiet_hours_start is null or quiet_hours_start <> quiet_hours_end))
);
create index on brands (id);
create index on brands (organization_id, client_id);
create index on brands (organization_id, logo_url) where logo_url is not null;
create index on brands (deleted_at) where deleted;
create index on brands (organization_id, dark_logo_url) where dark_logo_url is not null;

-- What emails of a brand are about. Recipients choose by topic: `content/consent`.
create table topics (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  description text not null default '' check (char_length(description) <= 500),
  -- Whether addresses that have chosen nothing get its emails.
  is_default boolean not null,
  -- From 1, within the brand.
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, brand_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on topics (id);
create unique index topics_name_taken on topics (organization_id, brand_id, lower(name));

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
