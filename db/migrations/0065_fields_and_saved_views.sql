alter table content_collections
  -- Its place in lists; those without one come behind, by name.
  add column sort integer;

alter table content_fields
  -- What a value is, beyond its type, and the values of a select field.
  add column interface text check (interface in ('email', 'select', 'tags', 'image')),
  add column choices jsonb,
  -- Its place in forms; those without one come behind, by name.
  add column sort integer;

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

-- Programs write templates, too, and a list of templates knows these types.
update content_fields
set required = true, default_value = '"email"', interface = 'select', choices = '["email", "layout", "block"]'
where collection = 'reachout_templates' and field = 'template_type';
