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
  updated_at timestamptz not null default now(),
  status_reason text check (char_length(status_reason) between 1 and 500)
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
  -- An operator's invitation to sign up proves no address and signs nobody in: it lets the address have an account.
  purpose text not null
    check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email', 'second_factor', 'passkey', 'sign_up_invitation')),
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

-- Second factors of sign-in: one authenticator app, passkeys, and recovery codes for when neither is at hand.
create table totp_secrets (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted with SECRET_KEY.
  secret_sealed text not null,
  -- Null until the person has entered a code: until then it is no factor.
  confirmed_at timestamptz,
  -- The time step of the last code: no code works twice (RFC 6238, section 5.2).
  last_step bigint not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on recovery_codes (user_id);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Base64url, as WebAuthn writes it.
  credential_id text not null unique,
  public_key bytea not null,
  -- The signature counter; stays 0 for passkeys that are synchronized.
  counter bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 120),
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on passkeys (user_id);

-- Account email: codes, links, invitations, notices. A row holds no secret: codes and links are made when the email is
-- sent.
create table account_email_outbox (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  language text not null check (language in ('en', 'de')),
  payload jsonb not null default '{}',
  -- Not sent after this time.
  expires_at timestamptz not null,
  error_content text,
  -- Set when the email was sent or given up.
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index on account_email_outbox (created_at);

-- Account email in the built-in mailbox, where no mail server is configured.
create table account_mailbox_messages (
  id uuid primary key,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null
);
create index on account_mailbox_messages (received_at desc, id desc);
