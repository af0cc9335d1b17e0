-- Uploaded files. Their bytes are in the file store, under the organization and the id.
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
  primary key (organization_id, id)
);
create index on content_files (organization_id, date_created, id);
create index on content_files (user_created) where user_created is not null;

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
