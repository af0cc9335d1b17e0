-- By which provider a domain gets its mail, as its MX records say: a cache of 24 hours for all organizations. Rows that no
-- send has named for 30 days are deleted.
create table recipient_domains (
  -- In lower case, as A-labels.
  domain text primary key,
  -- Null until it was looked up.
  recipient_group text check (recipient_group in ('google', 'outlook', 'microsoft_365', 'yahoo', 'gmx', 't_online',
    'icloud', 'other')),
  looked_up_at timestamptz,
  -- When it is looked up next; null while nobody asks for it.
  due_at timestamptz,
  check (looked_up_at is not null or due_at is not null)
);
create index recipient_domains_due on recipient_domains (due_at) where due_at is not null;

-- The recipient group of all deliveries of the chunk, and of the waiting delivery. A lane that waits is left out of a lease.
alter table delivery_chunks add column lane text not null default 'other';
drop index delivery_chunks_open;
create index delivery_chunks_open on delivery_chunks (organization_id, send_id, lane, first_seq) where not done;
alter table delivery_queue add column lane text not null default 'other';
drop index delivery_queue_due;
create index delivery_queue_due on delivery_queue (organization_id, send_id, lane, due_at, seq)
  where worker_id is null and due_at is not null;
-- Messages that a dead worker had under way, of any lane, are built on trial before they are taken.
create index delivery_queue_recovered on delivery_queue (organization_id, send_id, due_at)
  where worker_id is null and recovered;

-- When the next messages may leave that a rate limits (delivery/queue/rates.queries.ts): all workers lease from it.
create table send_rates (
  key text primary key,
  next_at timestamptz not null
);
-- Null for the limit that the settings of the installation give to all. Only the operator changes it.
alter table organizations add column messages_per_minute integer check (messages_per_minute >= 1);
