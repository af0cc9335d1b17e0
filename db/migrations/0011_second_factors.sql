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

alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email', 'second_factor', 'passkey'));

-- Members without a second factor get nothing of such an organization.
alter table organizations add column requires_second_factor boolean not null default false;
