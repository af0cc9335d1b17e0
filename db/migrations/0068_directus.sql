-- The Directus of an organization: while it is connected, its collections and items are what people see in place of those of the
-- built-in content backend.
create table organization_directus (
  organization_id uuid not null references organizations (id) on delete cascade,
  endpoint text not null check (char_length(endpoint) between 1 and 500),
  -- Encrypted; null while it is not connected.
  access_token text,
  -- Encrypted; the key of an organization that sends with Elastic Email.
  ee_api_key text,
  state text not null check (state in ('connected', 'failing', 'disconnected')),
  -- Why it is failing: a class, and the words of the Directus.
  failure text check (char_length(failure) <= 40),
  error_content text check (char_length(error_content) <= 500),
  server_version text check (char_length(server_version) <= 40),
  -- Collections of the platform that it does not have.
  missing_collections text[] not null default '{}' check (cardinality(missing_collections) <= 10),
  checked_at timestamptz not null default now(),
  primary key (organization_id),
  check ((access_token is null) = (state = 'disconnected')),
  check ((failure is null) = (state <> 'failing'))
);

-- What the Directus was last seen to have. Statements within a transaction look here, because a transaction waits for no server
-- elsewhere. Rows outlast the connection: they hold whom a collection belongs to.
create table directus_collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null check (collection ~ '^[a-z][a-z0-9_]{0,62}$'),
  label text check (char_length(label) between 1 and 120),
  key_type text not null check (key_type in ('uuid', 'integer', 'bigInteger')),
  -- Field, type, required, unique, hidden and readonly of each field.
  fields jsonb not null check (jsonb_typeof(fields) = 'array' and jsonb_array_length(fields) <= 500),
  items_count bigint not null default 0,
  client_id uuid,
  brand_id uuid,
  seen_at timestamptz not null default now(),
  primary key (organization_id, collection),
  check (brand_id is null or client_id is not null),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade
);
create index on directus_collections (organization_id, client_id, brand_id) where client_id is not null;
