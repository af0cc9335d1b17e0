-- The tables that get a row for each message or event are partitioned by month, so that a month of which nothing is left is dropped
-- as files, and the indexes in use stay those of recent months: those that a send writes by the time in the UUIDv7 of the send, so
-- that what names a send touches one partition, events by their time, by which they are read. db/functions/partitions.sql creates
-- the months; what has none goes to the default partition. Partitions are apart from the tables, where the server's roles may not
-- go: they reach the rows through the table, whose policies hold.
create schema partitions;

-- One send of an email touchpoint to its audience. The counters are disjoint; a delivery in none of them is queued.
create table touchpoint_sends (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- The short public identifier of a send, in tokens and Message-IDs.
  send_number bigint generated always as identity unique,
  touchpoint_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued'
    check (status in ('queued', 'held', 'preparing', 'sending', 'paused', 'completed', 'cancelled', 'failed')),
  send_date timestamptz not null,
  end_date timestamptz,
  uncertain_policy text not null default 'retry' check (uncertain_policy in ('retry', 'hold')),
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
  -- The recipients that a person confirmed. They count towards that limit until the audience has been stored.
  recipients_confirmed_count integer not null default 0,
  -- A send that fails for a reason of ours is tried again later and later, and then given up. In a row, since it last went on.
  failure_count smallint not null default 0,
  -- Workers that ended while they loaded the send, in a row.
  worker_deaths smallint not null default 0,
  -- Work is found by when it is due, so that sends that wait cost nothing. Null: there is nothing to do until a person, a
  -- worker or the end of a lease changes that.
  next_due_at timestamptz,
  -- Messages that a mail server took. What becomes of one of them later does not change it.
  recipients_accepted_count integer not null default 0,
  -- What a send is for: an audience, single messages as they are asked for, those whose delivery failed in another send, or
  -- a look at an email before it goes out.
  kind text not null default 'campaign' check (kind in ('campaign', 'triggered', 'follow_up', 'test')),
  parent_send_id uuid,
  error jsonb,
  -- When chunks were added last.
  counted_at timestamptz,
  schedule_id uuid,
  -- The planned time, which identifies an occurrence: `send_date` is when it starts, and may be later.
  occurrence_at timestamptz,
  -- One of several sends of its touchpoint: its status does not change that of the touchpoint.
  in_series boolean not null default false,
  -- The content item with which the send was confirmed.
  item_id text,
  -- As it was confirmed; a topic of a send is not deleted while the send is open.
  topic_id uuid,
  recipients_not_measured_count integer not null default 0
    check (recipients_not_measured_count between 0 and recipients_total_sent_count),
  primary key (organization_id, id),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade,
  check (recipients_total_count >= recipients_total_sent_count + recipients_total_delivery_failed_count
    + recipients_total_failed_count + recipients_suppressed_count + recipients_skipped_count
    + recipients_cancelled_count + recipients_uncertain_count),
  foreign key (organization_id, parent_send_id) references touchpoint_sends (organization_id, id)
    on delete set null (parent_send_id),
  foreign key (organization_id, schedule_id) references touchpoint_schedules (organization_id, id) on delete set null (schedule_id)
);
create index on touchpoint_sends (id);
create index on touchpoint_sends (organization_id, touchpoint_id, created_at desc);
create index on touchpoint_sends (organization_id, created_at desc);
create index touchpoint_sends_due on touchpoint_sends (next_due_at) where next_due_at is not null;
create index on touchpoint_sends (organization_id, parent_send_id) where parent_send_id is not null;
-- What failed is followed up once, or somebody would get the message twice. Nothing has left of a follow-up that failed, or
-- that was cancelled before it had recipients.
create unique index touchpoint_sends_one_follow_up on touchpoint_sends (organization_id, parent_send_id)
  where parent_send_id is not null and status <> 'failed' and (status <> 'cancelled' or recipients_total_count > 0);
-- Tests are kept for 30 days, and found by their age among all sends.
create index touchpoint_sends_tests on touchpoint_sends (created_at) where kind = 'test';
create index on touchpoint_sends (organization_id, schedule_id) where schedule_id is not null;
create unique index touchpoint_sends_one_open on touchpoint_sends (organization_id, touchpoint_id)
  where kind in ('campaign', 'triggered') and not in_series and status in ('queued', 'held', 'preparing', 'sending', 'paused');
create index touchpoint_sends_open on touchpoint_sends (organization_id, send_date)
  where kind <> 'test' and status in ('queued', 'held', 'preparing', 'sending', 'paused');
create unique index touchpoint_sends_one_occurrence on touchpoint_sends (organization_id, touchpoint_id, coalesce(item_id, ''), occurrence_at)
  where occurrence_at is not null and status <> 'failed' and (status <> 'cancelled' or recipients_total_count > 0);

-- The rendered snapshot: subject, sender, compiled HTML, text, links and audience, as they were when a person confirmed
-- the send. Later edits do not change it.
create table touchpoint_send_contents (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  content jsonb not null,
  -- Collection, rule and field mapping, as they were confirmed; sends that take single messages have none.
  audience jsonb,
  -- With the number of the message, the left side of its Message-ID: a repeat has the same one after a change of SECRET_KEY.
  message_id_base uuid not null default gen_random_uuid(),
  -- The name that the audience had when the send was confirmed; null for sends of single messages. The audience itself may be
  -- renamed, changed or deleted later.
  audience_name text,
  -- When a member confirmed what a send is to send: the next occurrence of a series keeps the time of the confirmation.
  confirmed_at timestamptz not null default now(),
  -- Host of the envelope sender, and address of links, of all messages of a send; null until it starts.
  bounce_domain text,
  public_url text,
  primary key (organization_id, send_id)
);

-- What was read of the contacts of an audience whose content backend is elsewhere: for the numbers of a rule, or for a send.
create table audience_readings (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Whose audience it is; null where people look at the numbers of a rule.
  send_id uuid,
  -- The content backend: the one that is connected later may be another.
  endpoint text not null check (char_length(endpoint) between 1 and 500),
  collection text not null check (collection ~ '^[a-z][a-z0-9_]{0,62}$'),
  rule jsonb not null,
  fields text[] not null check (cardinality(fields) between 1 and 501),
  -- Of endpoint, collection and rule: whoever asks for the same sees the same numbers.
  rule_hash text not null check (char_length(rule_hash) = 64),
  -- `over`: nobody needs its contacts any more, and they are being deleted.
  state text not null default 'reading' check (state in ('reading', 'ready', 'failed', 'over')),
  -- How far it is. A pass reads all pages from the first to the last.
  pass integer not null default 1,
  -- How many there were when the pass began; null before that was asked.
  expected_count bigint,
  page_count integer not null default 0,
  next_offset bigint not null default 0,
  last_key text check (char_length(last_key) <= 64),
  -- Contacts of this pass, and of all.
  seen_count bigint not null default 0,
  contact_count bigint not null default 0,
  byte_count bigint not null default 0,
  -- Why it failed, or why it waits for its next attempt: a class, and the words of the backend.
  failure text check (char_length(failure) <= 40),
  error_content text check (char_length(error_content) <= 500),
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, send_id) references touchpoint_sends (organization_id, id) on delete cascade,
  check ((state = 'reading') = (ended_at is null))
);
-- A send has one audience.
create unique index on audience_readings (organization_id, send_id) where send_id is not null;
create index on audience_readings (organization_id, rule_hash, began_at);

create table audience_reading_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  reading_id uuid not null,
  id text not null check (char_length(id) <= 64),
  -- The last pass that has seen it.
  pass integer not null,
  data jsonb not null,
  primary key (organization_id, reading_id, id),
  foreign key (organization_id, reading_id) references audience_readings (organization_id, id) on delete cascade
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
  -- `tracked`: whether opens and clicks of the message are measured. It is decided with the audience, and only ever becomes
  -- false after that. `tracking_consent`: what the field of the contact said then; null: nothing.
  tracked boolean not null default true,
  tracking_consent boolean,
  primary key (organization_id, send_id, seq)
) partition by range (send_id);
create table partitions.deliveries_default partition of deliveries default;
alter table partitions.deliveries_default enable row level security;

-- The contacts that the rule of a send matched and that get no message, with the reason: the other part of the audience
-- snapshot, written with `deliveries` in one statement and never changed. They may be as many, so there is no foreign key
-- here either.
create table delivery_exclusions (
  organization_id uuid not null,
  send_id uuid not null,
  -- 1 to the number of contacts excluded from the send.
  seq integer not null,
  contact_id text not null,
  -- What the contact has for an address; null where it has nothing.
  address text,
  -- The first that holds, in this order.
  reason text not null check (reason in
    ('no_address', 'invalid_address', 'duplicate_address', 'unsubscribed', 'suppressed', 'not_subscribed', 'paused')),
  primary key (organization_id, send_id, seq)
) partition by range (send_id);
create table partitions.delivery_exclusions_default partition of delivery_exclusions default;
alter table partitions.delivery_exclusions_default enable row level security;

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
  -- A worker counts the results of a chunk here, and adds them to the send when it releases the chunk: a row that changes
  -- with every commit is slow to read while a long transaction keeps its old versions.
  sent_count integer not null default 0,
  bounced_count integer not null default 0,
  failed_count integer not null default 0,
  suppressed_count integer not null default 0,
  uncertain_count integer not null default 0,
  -- The recipient group of all deliveries of the chunk. A lane that waits is left out of a lease. A lane has the name of its recipient
  -- group: there is one transport so far.
  lane text not null default 'other'
    check (lane in ('google', 'outlook', 'microsoft_365', 'yahoo', 'gmx', 't_online', 'icloud', 'other')),
  -- Done, and its results are in the counters of the send and in delivery_result_totals. They are added later, together with those of
  -- other chunks: a send that changed with each chunk has as many versions as chunks while a long transaction keeps them, and each
  -- statement would read past them.
  counted boolean not null default false,
  -- The time before which the messages of the chunk must not leave; null: at once.
  not_before timestamptz,
  not_measured_count integer not null default 0 check (not_measured_count between 0 and sent_count),
  primary key (organization_id, send_id, first_seq),
  check (worker_id is not null or (done and not counted)
    or (sent_count, bounced_count, failed_count, suppressed_count, uncertain_count) = (0, 0, 0, 0, 0))
);
create index delivery_chunks_leased on delivery_chunks (organization_id, send_id) where worker_id is not null;
create index delivery_chunks_open on delivery_chunks (organization_id, send_id, lane, first_seq) where not done;
create index delivery_chunks_uncounted on delivery_chunks (organization_id, send_id) where lease_token > 0 and not counted;

-- Messages that are leased one by one: single ones, which never left (new), those that will be tried again (deferred), and those
-- whose result is unknown (uncertain; held while due_at is null).
create table delivery_queue (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  seq integer not null,
  kind text not null check (kind in ('new', 'deferred', 'uncertain')),
  attempts smallint not null,
  due_at timestamptz,
  -- Set, and committed, before the message may leave again.
  worker_id integer,
  lease_until timestamptz,
  reply text,
  created_at timestamptz not null default now(),
  -- What ended earlier tries of a message decides how it goes on. Of the attempts: the connection was lost before the server had the text.
  interruptions smallint not null default 0,
  -- Of the attempts: nobody knows whether the server has the message.
  uncertain smallint not null default 0,
  -- A message is given up a day after it.
  first_attempt_at timestamptz not null default now(),
  -- A worker died while this message was under way: it is built on trial, in a process of its own, before it goes again.
  recovered boolean not null default false,
  lane text not null default 'other'
    check (lane in ('google', 'outlook', 'microsoft_365', 'yahoo', 'gmx', 't_online', 'icloud', 'other')),
  error jsonb,
  primary key (organization_id, send_id, seq)
);
create index delivery_queue_leased on delivery_queue (organization_id, send_id, seq) where worker_id is not null;
create index delivery_queue_due on delivery_queue (organization_id, send_id, lane, due_at, seq)
  where worker_id is null and due_at is not null;
-- Messages that a dead worker had under way, of any lane, are built on trial before they are taken.
create index delivery_queue_recovered on delivery_queue (organization_id, send_id, due_at)
  where worker_id is null and recovered;

-- The final result of a delivery; at most one row for each. No foreign key, which would be checked for each of a million results:
-- what erases an organization deletes them by itself.
create table delivery_results (
  organization_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  state text not null check (state in ('sent', 'bounced', 'failed', 'suppressed', 'skipped')),
  attempts smallint not null,
  reply text,
  at timestamptz not null,
  -- Set once, when a mail server took the message.
  accepted_at timestamptz,
  -- Of a rejection: which command it answered, and what it means.
  stage text check (stage in ('mail', 'rcpt', 'data', 'message')),
  class text check (class in ('address_hard', 'address_likely', 'domain_hard', 'routing_soft', 'mailbox_full',
    'transient', 'expired', 'reputation', 'authentication', 'content', 'too_big', 'protocol', 'unknown')),
  error jsonb,
  -- Of messages that are sent: as they were sent. Counted beside the messages in state `sent`.
  tracked boolean not null default true,
  primary key (organization_id, send_id, seq)
) partition by range (send_id);
create table partitions.delivery_results_default partition of delivery_results default;
alter table partitions.delivery_results_default enable row level security;
-- Lists what was not sent without reading what was.
create index delivery_results_not_sent on delivery_results (organization_id, send_id, state, seq) where state <> 'sent';
-- The ends of a period that lie within a quarter of an hour are counted from single results. They are stored in the order of
-- their time: a summary of each 32 pages finds those of some minutes. Measured, a store costs 3.1 us of CPU per row instead of 3.05;
-- a btree would make it 3.9.
create index on delivery_results using brin (accepted_at, at) with (pages_per_range = 32);

-- Messages that were asked for by themselves, for the state of one. No foreign key to the send, which may have millions.
create table messages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  -- The date of the message at each of its attempts.
  created_at timestamptz not null default now(),
  -- The address, instead of a contact.
  contact_id text not null,
  -- Whether the contact was marked as unsubscribed when a single message was accepted. In a Directus, nobody else could look.
  is_unsubscribed boolean not null default false,
  primary key (organization_id, id),
  unique (organization_id, send_id, seq)
);
create index on messages (id);
create index on messages (organization_id, send_id, created_at);
create index on messages (organization_id, contact_id, send_id, seq);

-- Finds the deliveries of a contact, send by send. An index on `deliveries` cost each message 131 bytes of the write-ahead log;
-- here about a hundred messages share a row, 11 bytes each.
create table contact_deliveries (
  organization_id uuid not null references organizations (id) on delete cascade,
  send_id uuid not null,
  -- The highest hash that belongs to the row: hashes above that of the row before it are here.
  last_hash integer not null,
  -- hashtext(contact_id) without its sign, and beside it the seq of the delivery.
  hashes integer[] not null,
  seqs integer[] not null check (cardinality(seqs) = cardinality(hashes)),
  primary key (organization_id, send_id, last_hash)
);

-- Results for each quarter of an hour, state and class: what went out in a month or a year does not read single results.
create table delivery_result_totals (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  -- The start of the quarter, as in delivery_event_totals.
  at timestamptz not null,
  send_id uuid not null,
  -- 'sent' counts what was accepted then; another state what ended in it then, a message that bounced after it was
  -- accepted in both.
  state text not null,
  -- Of a rejection; empty where there was none.
  class text not null,
  count bigint not null,
  not_measured bigint not null default 0,
  primary key (organization_id, touchpoint_id, at, send_id, state, class)
);
create index on delivery_result_totals (organization_id, send_id);
-- Results of an organization in a period are sums over all of its emails: read from the quarters of the period, and not
-- from every email that it ever sent.
create index on delivery_result_totals (organization_id, at);

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

-- When the next messages may leave that a rate limits (delivery/queue/rates.queries.ts): all workers lease from it.
create table send_rates (
  key text primary key,
  next_at timestamptz not null
);

-- Messages a day in the name of a sender domain that nobody knows yet (docs/sending.md). Only the operator writes plans; the
-- workers count what they take.
create table warm_up_plans (
  -- In lower case.
  domain text primary key,
  -- Messages on the first day, by UTC; each day so many times those of the day before.
  first_limit integer not null check (first_limit >= 1),
  growth numeric(3, 2) not null check (growth between 1.01 and 3),
  -- The plan is over on the day on which it would allow more.
  last_limit integer not null check (last_limit >= first_limit),
  first_day date not null default (now() at time zone 'UTC')::date,
  -- What was taken on that day.
  counted_day date not null default (now() at time zone 'UTC')::date,
  counted integer not null default 0 check (counted >= 0)
);

-- Email of sends in the built-in mailbox.
create table mailbox_messages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  send_id uuid not null,
  seq integer not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  -- Compressing a message would cost more than all other steps of storing it.
  raw bytea storage external not null,
  received_at timestamptz not null,
  primary key (organization_id, id)
);
create index on mailbox_messages (organization_id, received_at desc, id desc);
create index on mailbox_messages (organization_id, send_id);
create index on mailbox_messages (id);
