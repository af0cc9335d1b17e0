create table clients (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id)
);
create index on clients (organization_id, lower(name));
call protect_tenant_table('clients');

create table brands (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  client_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  logo_url text,
  error_content text,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade
);
create index on brands (organization_id, client_id);
call protect_tenant_table('brands');

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
call protect_tenant_table('campaigns');

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
call protect_tenant_table('touchpoints');

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
call protect_tenant_table('filters');

create table touchpoint_emails (
  touchpoint_id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  filter_id uuid,
  -- An item of reachout_templates in the content backend, which may be the customer's own: no reference.
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
call protect_tenant_table('touchpoint_emails');

-- What is shown: deleting a record hides everything beneath it (specification section 4).
create view current_brands with (security_invoker = true) as
  select b.*, c.name as client_name
  from brands b
  join clients c on c.organization_id = b.organization_id and c.id = b.client_id and not c.deleted
  where not b.deleted;

create view current_campaigns with (security_invoker = true) as
  select c.*, b.name as brand_name, b.logo_url as brand_logo_url, b.client_id, b.client_name
  from campaigns c
  join current_brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where not c.deleted;

create view current_touchpoints with (security_invoker = true) as
  select t.*, c.name as campaign_name, c.status as campaign_status, c.brand_id, c.brand_name, c.brand_logo_url, c.client_id, c.client_name
  from touchpoints t
  join current_campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
  where not t.deleted;

create view clients_brands with (security_invoker = true) as
  select c.organization_id, c.id as client_id, c.name as client_name, b.id as brand_id, b.name as brand_name
  from clients c
  left join brands b on b.organization_id = c.organization_id and b.client_id = c.id and not b.deleted
  where not c.deleted;

create view campaigns_touchpoints with (security_invoker = true) as
  select c.organization_id, c.id as campaign_id, c.name as campaign_name, c.status as campaign_status,
    c.brand_id, c.brand_name, c.client_name,
    t.id as touchpoint_id, t.name as touchpoint_name, t.status as touchpoint_status, t.type as touchpoint_type,
    t.updated_at as touchpoint_updated_at
  from current_campaigns c
  left join touchpoints t on t.organization_id = c.organization_id and t.campaign_id = c.id and not t.deleted;

grant select on current_brands, current_campaigns, current_touchpoints, clients_brands, campaigns_touchpoints to reachout_app;
