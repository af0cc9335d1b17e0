create table content_imports (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  collection text not null,
  file_name text not null,
  settings jsonb not null,
  -- An import can be checked before it stores anything.
  status text not null default 'uploading'
    check (status in ('uploading', 'checking', 'checked', 'queued', 'running', 'completed', 'failed')),
  bytes_total bigint not null default 0,
  -- Where to continue after an interruption: everything before this byte of the file is stored and counted.
  bytes_done bigint not null default 0,
  line_done bigint not null default 0,
  rows_done bigint not null default 0,
  created_count bigint not null default 0,
  updated_count bigint not null default 0,
  unchanged_count bigint not null default 0,
  rejected_count bigint not null default 0,
  user_created uuid,
  created_at timestamptz not null default now(),
  end_date timestamptz,
  merged_count bigint not null default 0,
  -- Why it failed: a code with its values, {"code": …, "values": …}, so that everybody reads it in their own language.
  error jsonb,
  -- It rests after each batch, because emails go out; false once it has stopped or ended.
  yields_to_sends boolean not null default false,
  -- The content backend that the collection is of; null for the built-in one. One that is connected later may be another.
  endpoint text check (char_length(endpoint) between 1 and 500),
  -- Values, not rows.
  left_out_count bigint not null default 0,
  primary key (organization_id, id),
  -- Each row of the file is exactly one of these.
  constraint content_imports_rows_check
    check (rows_done = created_count + updated_count + unchanged_count + merged_count + rejected_count)
);
create index on content_imports (id);
create index on content_imports (organization_id, created_at desc);

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
  record jsonb not null,
  error jsonb not null,
  -- An optional value that cannot be read may be left out of its row instead of rejecting it. A row of this table is then one of
  -- the file that was imported without the values in `left_out`: [{"field": …, "error": {"code": …, "values": …}}].
  kind text not null check (kind in ('rejected', 'left_out')),
  left_out jsonb,
  -- Byte offset of the end of the row in the file. Several objects of a JSON file may be on one line.
  end_byte bigint not null,
  primary key (organization_id, import_id, kind, end_byte),
  check ((kind = 'left_out') = (left_out is not null))
);
