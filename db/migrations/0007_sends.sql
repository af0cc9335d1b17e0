-- One send of an email touchpoint to its audience. The counters are disjoint; a delivery in none of them is queued.
create table touchpoint_sends (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- The short public identifier of a send, in tokens and Message-IDs.
  send_number bigint generated always as identity unique,
  touchpoint_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued'
    check (status in ('queued', 'preparing', 'sending', 'paused', 'completed', 'cancelled', 'failed')),
  send_date timestamptz not null,
  end_date timestamptz,
  uncertain_policy text not null default 'retry' check (uncertain_policy in ('retry', 'hold')),
  error_content text,
  recipients_total_count integer not null default 0,
  recipients_total_sent_count integer not null default 0,
  recipients_total_delivery_failed_count integer not null default 0,
  recipients_total_failed_count integer not null default 0,
  recipients_suppressed_count integer not null default 0,
  recipients_skipped_count integer not null default 0,
  recipients_cancelled_count integer not null default 0,
  recipients_uncertain_count integer not null default 0,
  -- Contacts matched, excluded by reason, and will_receive, when the audience was snapshotted.
  audience_breakdown jsonb,
  user_created uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  check (recipients_total_count >= recipients_total_sent_count + recipients_total_delivery_failed_count
    + recipients_total_failed_count + recipients_suppressed_count + recipients_skipped_count
    + recipients_cancelled_count + recipients_uncertain_count)
);
create index on touchpoint_sends (id);
create index on touchpoint_sends (organization_id, touchpoint_id, created_at desc);
create index on touchpoint_sends (organization_id, created_at desc);
create index touchpoint_sends_open on touchpoint_sends (send_date)
  where status in ('queued', 'preparing', 'sending') or (status = 'cancelled' and end_date is null);
-- A touchpoint has one open send at a time.
create unique index touchpoint_sends_one_open on touchpoint_sends (organization_id, touchpoint_id)
  where status in ('queued', 'preparing', 'sending', 'paused');

-- The rendered snapshot: subject, sender, compiled HTML, text, links and audience, as they were when a person confirmed
-- the send. Later edits do not change it.
create table touchpoint_send_contents (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  content jsonb not null,
  -- Collection, rule and field mapping, as they were confirmed.
  audience jsonb not null,
  primary key (organization_id, send_id)
);

-- The audience snapshot: written once and never changed. No foreign key: checking it for each of a million rows takes a
-- third of the time, and the one statement that inserts here uses the organization of its transaction.
create table deliveries (
  organization_id uuid not null,
  send_id uuid not null,
  -- 1 to recipients_total_count.
  seq integer not null,
  contact_id text not null,
  address text not null,
  -- The fields of the contact that the message uses.
  variables jsonb not null,
  primary key (organization_id, send_id, seq)
);

-- Work: one row for a range of seq. A worker leases a chunk and commits a write-ahead mark, marked_up_to, before the
-- messages up to it may leave: after a crash only those without a result up to the mark are uncertain.
create table delivery_chunks (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  first_seq integer not null,
  last_seq integer not null,
  marked_up_to integer not null,
  done boolean not null default false,
  worker_id integer,
  -- A fencing token, raised by each lease: a worker that lost its lease can no longer write.
  lease_token integer not null default 0,
  lease_until timestamptz,
  primary key (organization_id, send_id, first_seq)
);
create index delivery_chunks_open on delivery_chunks (organization_id, send_id, first_seq) where not done;

-- The final result of a delivery; at most one row for each.
create table delivery_results (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  seq integer not null,
  state text not null check (state in ('sent', 'bounced', 'failed', 'suppressed', 'skipped')),
  attempts smallint not null,
  reply text,
  at timestamptz not null,
  primary key (organization_id, send_id, seq)
);

-- Deliveries that will be tried again (deferred), or whose result is unknown (uncertain; held while due_at is null).
create table delivery_retries (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  seq integer not null,
  kind text not null check (kind in ('deferred', 'uncertain')),
  attempts smallint not null,
  due_at timestamptz,
  -- Set, and committed, before the message may leave again.
  worker_id integer,
  lease_until timestamptz,
  reply text,
  created_at timestamptz not null default now(),
  primary key (organization_id, send_id, seq)
);
create index on delivery_retries (organization_id, send_id, due_at);

-- Addresses that get no email: from the whole organization, or from one brand.
create table suppressions (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  brand_id uuid,
  -- The normalized address: lower case, domain in ASCII.
  address_key text not null,
  reason text not null check (reason in ('bounce', 'complaint', 'unsubscribe', 'manual')),
  send_id uuid,
  seq integer,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, address_key, brand_id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on suppressions (organization_id, created_at);

