create table users (
  id uuid primary key,
  email text not null unique,
  email_verified boolean not null default false,
  full_name text not null,
  avatar_url text,
  status text not null default 'active' check (status in ('active', 'suspended')),
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Useless without the signature that SECRET_KEY puts on the cookie.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on sessions (user_id);

create table accounts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index on accounts (user_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on verifications (identifier);

grant select, insert, update, delete on users, sessions, accounts, verifications to reachout_app;

create table organizations (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  logo_url text,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy tenant on organizations for all to reachout_app
  using (id = current_organization_id()) with check (id = current_organization_id());
create policy definer on organizations for select to current_user using (true);
grant select, insert, update on organizations to reachout_app;

create table organization_users (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on organization_users (user_id);
call protect_tenant_table('organization_users');

-- The organizations that a user belongs to, over all tenants. A user sees only the own memberships: the function takes
-- the user from the transaction, not from its caller. Deleted and inactive ones are hidden (specification section 6).
create function my_organizations()
  returns table (id uuid, name text, logo_url text, status text, role text, created_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id, o.name, o.logo_url, o.status, m.role, o.created_at
  from public.organization_users m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = public.current_user_id() and not o.deleted and o.status <> 'inactive'
  order by lower(o.name), o.id
$$;
revoke all on function my_organizations() from public;
grant execute on function my_organizations() to reachout_app;

-- The first answer of an unsafe call, kept for a repeat with the same key.
create table idempotency_keys (
  user_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  request_hash text not null,
  -- Null while the first call is still under way; nobody else sees that row before it commits.
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, route, key)
);
create index on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy own on idempotency_keys for all to reachout_app
  using (user_id = current_user_id()) with check (user_id = current_user_id());
grant select, insert, update, delete on idempotency_keys to reachout_app;
