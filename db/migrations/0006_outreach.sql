create table campaigns (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'archived')),
  error_content text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on campaigns (id);
create index on campaigns (organization_id, brand_id);
create index on campaigns (organization_id, updated_at desc);
create index on campaigns (deleted_at) where deleted;

create table touchpoints (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
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
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index on touchpoints (id);
create index on touchpoints (organization_id, campaign_id);
create index on touchpoints (organization_id, created_at desc);
create index on touchpoints (deleted_at) where deleted;

create table filters (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid,
  name text not null check (char_length(name) between 1 and 120),
  is_active boolean not null default true,
  collection text not null,
  rule jsonb not null,
  field_mapping jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on filters (id);
create unique index filters_name_taken on filters (organization_id, lower(name));

-- What a channel keeps of its touchpoints, beside `touchpoints` itself: one table for each channel.
create table touchpoint_emails (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  filter_id uuid,
  -- An item of reachout_templates in the content backend, which may be the customer's own: no foreign key.
  template_id uuid,
  subject text not null default '',
  preheader text not null default '',
  from_name text not null default '',
  from_email text not null default '',
  reply_to text,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, touchpoint_id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  foreign key (organization_id, filter_id) references filters (organization_id, id) on delete restrict
);
create index on touchpoint_emails (organization_id, filter_id);

create table touchpoint_websites (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  touchpoint_id uuid not null,
  primary key (organization_id, id),
  unique (organization_id, touchpoint_id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
