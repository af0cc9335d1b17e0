-- Searches find a text anywhere in the values of an item, among a million items. pg_trgm has an index for that, btree_gin puts the
-- collection into the same index. Both come with PostgreSQL, and the owner of a database may create them. They have a schema of their
-- own, where nobody finds functions that PUBLIC may call.
create schema if not exists extensions;
create extension if not exists pg_trgm schema extensions;
create extension if not exists btree_gin schema extensions;

-- The built-in content backend. All keys begin with organization_id, so that the tables can be distributed by it.
create table content_collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null check (collection ~ '^[a-z][a-z0-9_]{0,62}$'),
  hidden boolean not null default false,
  -- Kept by the statements that insert and delete items: counting a million of them takes too long.
  items_count bigint not null default 0,
  client_id uuid,
  brand_id uuid,
  -- How the collection is called on screen; null for those that the platform has names for, and for those called by their name.
  label text check (char_length(label) between 1 and 120),
  -- Its place in lists; those without one come behind, by name.
  sort integer,
  -- Length of the items as JSON text. Kept by a trigger, because many statements change items.
  items_bytes bigint not null default 0,
  primary key (organization_id, collection),
  check (brand_id is null or client_id is not null),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade
);
create index on content_collections (organization_id, client_id, brand_id) where client_id is not null;

create table content_fields (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  field text not null check (field ~ '^[a-z][a-z0-9_]{0,62}$'),
  type text not null check (type in ('string', 'text', 'integer', 'bigInteger', 'float', 'decimal', 'boolean', 'date',
    'dateTime', 'timestamp', 'time', 'uuid', 'json', 'csv')),
  required boolean not null default false,
  is_unique boolean not null default false,
  hidden boolean not null default false,
  readonly boolean not null default false,
  default_value jsonb,
  -- How a field is called on screen; null for those that the platform has names for, and for those called by their name.
  label text check (char_length(label) between 1 and 120),
  -- What a value is, beyond its type, and the values of a select field.
  interface text check (interface in ('email', 'select', 'tags', 'image', 'rich_text')),
  choices jsonb,
  -- Its place in forms; those without one come behind, by name.
  sort integer,
  primary key (organization_id, collection, field),
  foreign key (organization_id, collection) references content_collections (organization_id, collection) on delete cascade
);

-- An import writes a million items and their addresses, and PostgreSQL would look the organization up for each of both: a sixth of
-- what storing them takes. Row-level security lets nothing in but rows of the organization that a transaction is for, and the rows
-- of an organization are deleted before it.
create table content_items (
  organization_id uuid not null,
  collection text not null,
  id text not null,
  data jsonb not null,
  user_created uuid,
  date_created timestamptz not null default now(),
  date_updated timestamptz not null default now(),
  has_ordinary_email boolean not null generated always as (
    coalesce(
      octet_length(data ->> 'email') < 66
        and data ->> 'email' ~ '^[a-z0-9_+][a-z0-9_+-]*(?:[.][a-z0-9_+-]+)*@(?:[a-z0-9]+[.-])*[a-z0-9]+[.][a-z][a-z]+$',
      false
    )
  ) stored,
  primary key (organization_id, collection, id)
);
-- The items of a collection as they came in.
create index on content_items (organization_id, collection, date_created, id);

create table content_unique_values (
  organization_id uuid not null,
  collection text not null,
  field text not null,
  value text not null,
  item_id text not null,
  -- The only index: with a second one PostgreSQL would pick the wrong one for organizations that came after its last
  -- analyze, and read all of their values. Statements that remove a value know it.
  primary key (organization_id, collection, field, value)
);

-- Saved views of collections, called presets by Directus. Without a user they are there for everybody who reads the collection; those
-- of a person end with the membership.
create table content_presets (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  collection text not null,
  bookmark text not null check (char_length(bookmark) between 1 and 120),
  user_id uuid,
  search text,
  filter jsonb,
  layout_query jsonb not null,
  date_updated timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, collection) references content_collections (organization_id, collection) on delete cascade,
  foreign key (organization_id, user_id) references organization_users (organization_id, user_id) on delete cascade
);
create index on content_presets (organization_id, collection);
create index on content_presets (organization_id, user_id) where user_id is not null;

-- Uploaded files. Their bytes are in the file store, under the organization and `bytes_id`.
create table content_files (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  filename_download text not null check (char_length(filename_download) between 1 and 255),
  title text,
  -- By the first bytes, not by what the sender says.
  type text not null,
  filesize bigint not null,
  user_created uuid references users (id) on delete set null,
  date_created timestamptz not null default now(),
  -- Images that emails show: whoever has the address of one sees it, without signing in.
  public_key text check (public_key ~ '^[A-Za-z0-9_-]{22}$'),
  -- The brand whose library an image is in; null for files that belong to none. Who may see a file does not depend on it.
  brand_id uuid,
  -- Whoever uploads a file can choose both.
  bucket text not null check (bucket in ('images', 'documents')),
  path text not null check (char_length(path) between 1 and 1004),
  -- The bytes of a file: a file that is replaced keeps its id, and gets other ones.
  bytes_id uuid not null,
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete set null (brand_id),
  unique (organization_id, bucket, path),
  -- An entry of the unique index has at most 2,704 bytes. Letters have up to four bytes, so a limit of characters is not enough.
  check (octet_length(path) <= 2000)
);
create index on content_files (organization_id, date_created, id);
create index on content_files (user_created) where user_created is not null;
create index on content_files (public_key) where public_key is not null;
create index on content_files (organization_id, brand_id, date_created, id) where brand_id is not null;
create unique index on content_files (organization_id, bytes_id);

-- Items that are shown to somebody without an account, for a while.
create table content_shares (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text,
  collection text not null,
  item_id text not null,
  -- What the one who opens the share may do at most; nothing without a role.
  role text,
  password_hash text,
  date_start timestamptz,
  date_end timestamptz,
  max_uses integer check (max_uses > 0),
  times_used integer not null default 0,
  -- Whose rights it lends: it ends with the membership.
  user_created uuid not null,
  date_created timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, collection) references content_collections (organization_id, collection) on delete cascade,
  foreign key (organization_id, user_created) references organization_users (organization_id, user_id) on delete cascade
);
create index on content_shares (organization_id, collection);
create index on content_shares (organization_id, user_created);

-- Collections that were deleted. What they held is erased little by little, and until nothing is left of it nobody can take their
-- name, under which it would come back.
create table deleted_collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, collection)
);
create index on deleted_collections (created_at);

-- The values of each item in which searches look, folded as they fold them. It may lag behind content_items: what has changed since
-- stands in content_search_queue. No key to organizations: to check it for a million rows costs too much, and a text is only written
-- for an item that is there.
create table content_search_texts (
  organization_id uuid not null,
  collection text not null,
  item_id text not null,
  text text not null,
  primary key (organization_id, collection, item_id)
);
-- One expression for the collection, which no other index has: PostgreSQL knows nothing of an organization that came after its last
-- analyze, and would read all of its rows by the key.
create index content_search_texts_text_idx on content_search_texts
  using gin ((organization_id::text || ' ' || collection), text extensions.gin_trgm_ops);

-- Items that were created or changed, in the transaction that did it: their rows in content_search_texts are yet to be written. One row
-- for each statement, so that it costs an import next to nothing.
create table content_search_queue (
  organization_id uuid not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  collection text not null,
  item_ids text[] not null,
  primary key (organization_id, id)
);

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
  -- By the name of their field, as last read: apps/server/src/content/directus/describe-fields.ts.
  relations jsonb not null default '{}' check (jsonb_typeof(relations) = 'object'),
  primary key (organization_id, collection),
  check (brand_id is null or client_id is not null),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade
);
create index on directus_collections (organization_id, client_id, brand_id) where client_id is not null;

-- Records whose copies in the content backend are not up to date: what changed here, until it is written there. A record has at
-- most one row.
create table content_outbox (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null check (collection in
    ('reachout_clients', 'reachout_brands', 'reachout_campaigns', 'reachout_touchpoints', 'reachout_templates')),
  id uuid not null,
  -- Grows with each change, so that what changes while its copy is written is written again.
  version integer not null default 1,
  -- It was deleted or restored: with it, all records below it disappear or come back.
  with_children boolean not null default false,
  -- Failed: not tried again until the record changes, or a person asks for it.
  state text not null default 'waiting' check (state in ('waiting', 'failed')),
  -- Those that failed since the last change.
  attempts smallint not null default 0,
  error_content text check (char_length(error_content) <= 500),
  changed_at timestamptz not null default now(),
  tried_at timestamptz,
  primary key (organization_id, collection, id)
);
create index on content_outbox (changed_at) where state = 'waiting';
