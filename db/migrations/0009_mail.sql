-- Account email: codes, links, invitations, notices. A row holds no secret: codes and links are made when the email is
-- sent.
create table account_email_outbox (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  language text not null check (language in ('en', 'de')),
  payload jsonb not null default '{}',
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  -- Not sent after this time.
  expires_at timestamptz not null,
  worker_id integer,
  lease_until timestamptz,
  error_content text,
  -- Set when the email was sent or given up.
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index on account_email_outbox (due_at) where ended_at is null;
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

-- Email of sends in the built-in mailbox.
create table mailbox_messages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null,
  primary key (organization_id, id)
);
-- Compressing a message would cost more than all other steps of storing it.
alter table mailbox_messages alter column raw set storage external;
create index on mailbox_messages (organization_id, received_at desc, id desc);
create index on mailbox_messages (organization_id, send_id);
create index on mailbox_messages (id);
