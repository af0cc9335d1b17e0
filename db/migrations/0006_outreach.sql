create table campaigns (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'archived')),
  error_content text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on campaigns (organization_id, brand_id);
create index on campaigns (organization_id, updated_at desc);
create index on campaigns (deleted_at) where deleted;

create table touchpoints (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  campaign_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  type text not null check (type in ('email', 'website')),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'sending', 'sent', 'active', 'paused', 'archived')),
  -- The content collection whose items are merged into the template.
  collection text,
  error_content text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index on touchpoints (organization_id, campaign_id);
create index on touchpoints (organization_id, created_at desc);
create index on touchpoints (deleted_at) where deleted;

create table filters (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  brand_id uuid,
  name text not null check (char_length(name) between 1 and 120),
  is_active boolean not null default true,
  collection text not null,
  rule jsonb not null,
  field_mapping jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create unique index filters_name_taken on filters (organization_id, lower(name));

create table touchpoint_emails (
  touchpoint_id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  filter_id uuid,
  -- An item of reachout_templates in the content backend, which may be the customer's own: no foreign key.
  template_id uuid,
  subject text not null default '',
  preheader text not null default '',
  from_name text not null default '',
  from_email text not null default '',
  reply_to text,
  updated_at timestamptz not null default now(),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  foreign key (organization_id, filter_id) references filters (organization_id, id) on delete restrict
);
create index on touchpoint_emails (organization_id, filter_id);
