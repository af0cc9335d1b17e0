-- Messages that came back and were not read yet: reports of mail servers, complaints, and requests to unsubscribe. They belong to
-- an organization only once they are read.
create table returned_mail (
  id uuid primary key,
  -- Local part of the address it was sent to.
  mailbox text not null check (char_length(mailbox) <= 64),
  -- Its start, as it came.
  raw bytea not null check (octet_length(raw) <= 65536),
  received_at timestamptz not null default now(),
  -- When it is read, or read again.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0
);
create index on returned_mail (due_at);
