-- Mail of the platform itself: codes, links, invitations, notices. A row says what is to be told, never a secret: codes
-- and links are made in the moment of sending.
create table system_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  language text not null check (language in ('en', 'de')),
  payload jsonb not null default '{}',
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  -- After this moment the mail would be useless.
  expires_at timestamptz not null,
  worker_id integer,
  lease_until timestamptz,
  error_content text,
  -- Set when it was sent, or given up.
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index on system_mails (due_at) where ended_at is null;
create index on system_mails (created_at);

-- The platform's mail as the built-in mailbox keeps it, where no mail server is set.
create table system_messages (
  id uuid primary key,
  recipient text not null,
  sender text not null,
  subject text not null,
  raw bytea not null,
  received_at timestamptz not null
);
create index on system_messages (received_at desc, id desc);

-- What the built-in mailbox took in.
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
-- Compressing each message would cost more than all the rest of taking it in.
alter table mailbox_messages alter column raw set storage external;
create index on mailbox_messages (organization_id, received_at desc, id desc);
create index on mailbox_messages (organization_id, send_id);
create index on mailbox_messages (id);
