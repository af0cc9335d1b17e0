-- Who people are and how they sign in. users, sessions, accounts and verifications have the shape of Better Auth.
create table users (
  id uuid primary key,
  email text not null unique,
  email_verified boolean not null default false,
  full_name text not null,
  avatar_url text,
  company text,
  phone text,
  website text,
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- Preference key to value.
  preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object'),
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_addresses (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  line1 text not null,
  line2 text,
  postal_code text,
  city text not null,
  region text,
  country_id text not null references countries (id) on delete restrict,
  deleted boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on user_addresses (user_id);
create index on user_addresses (deleted_at) where deleted;

create table user_socials (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  network text not null,
  url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on user_socials (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Useless without the signature that SECRET_KEY puts on the cookie.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  last_used_at timestamptz not null default now(),
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

-- Mailed secrets that prove control of an address: for one use, one purpose and a short time.
-- Only keyed hashes are stored; the key is not in the database.
create table one_time_tokens (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email')),
  -- Lower case.
  email text not null,
  -- Null for a sign-up: there is no user before the address is proven.
  user_id uuid references users (id) on delete cascade,
  secret_hash text not null,
  -- Hash of the cookie of the browser that asked: the token works in that browser only.
  browser_hash text,
  -- Of a pending sign-up: name, password hash, language.
  payload jsonb not null default '{}',
  failed_attempts smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on one_time_tokens (purpose, email);
create index on one_time_tokens (user_id);
create index on one_time_tokens (browser_hash) where browser_hash is not null;
create index on one_time_tokens (expires_at);
create unique index on one_time_tokens (secret_hash) where purpose <> 'sign_in_code';

-- Counters of attempts, shared by all processes; the shape is that of rate-limiter-flexible.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index on rate_limits (expire);

-- The first response of an unsafe operation, stored for a repeat with the same key.
create table idempotency_keys (
  user_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  request_hash text not null,
  -- Null while the first request is in progress; other transactions do not see that row before it commits.
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, route, key)
);
create index on idempotency_keys (created_at);
