-- The built-in content backend. The tables of items lead every key with organization_id and reference nothing but
-- organizations, so that they can be distributed by it.

create table content_collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null check (collection ~ '^[a-z][a-z0-9_]{0,62}$'),
  hidden boolean not null default false,
  primary key (organization_id, collection)
);

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
  primary key (organization_id, collection, field),
  foreign key (organization_id, collection) references content_collections (organization_id, collection) on delete cascade
);

create table content_items (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  id text not null,
  data jsonb not null,
  user_created uuid,
  date_created timestamptz not null default now(),
  date_updated timestamptz not null default now(),
  primary key (organization_id, collection, id)
);

create table content_unique_values (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  field text not null,
  value text not null,
  item_id text not null,
  -- The only index: with a second one PostgreSQL would pick the wrong one for organizations that came after its last
  -- analyze, and read all of their values. Statements that remove a value know it.
  primary key (organization_id, collection, field, value)
);

create table content_imports (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  collection text not null,
  file_name text not null,
  settings jsonb not null,
  status text not null default 'uploading' check (status in ('uploading', 'queued', 'running', 'completed', 'failed')),
  bytes_total bigint not null default 0,
  -- Where to continue after an interruption: everything before this byte of the file is stored and counted.
  bytes_done bigint not null default 0,
  line_done bigint not null default 0,
  rows_done bigint not null default 0,
  created_count bigint not null default 0,
  updated_count bigint not null default 0,
  unchanged_count bigint not null default 0,
  rejected_count bigint not null default 0,
  error_content text,
  worker_id integer,
  lease_until timestamptz,
  user_created uuid,
  created_at timestamptz not null default now(),
  end_date timestamptz,
  primary key (organization_id, id)
);
create index on content_imports (id);
create index on content_imports (organization_id, created_at desc);
create index content_imports_open on content_imports (created_at) where status in ('queued', 'running');

-- Parts of the uploaded file, kept until the import has ended: any process can take it over.
create table content_import_parts (
  organization_id uuid not null references organizations (id) on delete cascade,
  import_id uuid not null,
  first_byte bigint not null,
  bytes bytea not null,
  primary key (organization_id, import_id, first_byte)
);

create table content_import_rejections (
  organization_id uuid not null references organizations (id) on delete cascade,
  import_id uuid not null,
  line bigint not null,
  field text,
  reason text not null,
  record jsonb not null,
  primary key (organization_id, import_id, line)
);
