-- Work is found by when it is due, so that sends that wait cost nothing. Null: there is nothing to do until a person, a
-- worker or the end of a lease changes that.
alter table touchpoint_sends add column next_due_at timestamptz;
update touchpoint_sends set next_due_at = coalesce(retry_at, send_date)
  where status in ('queued', 'preparing', 'sending') or (status = 'cancelled' and end_date is null);
alter table touchpoint_sends drop column retry_at;
drop index touchpoint_sends_open;
create index touchpoint_sends_due on touchpoint_sends (next_due_at) where next_due_at is not null;

-- Messages that a mail server took. What becomes of one of them later does not change it.
alter table touchpoint_sends add column recipients_accepted_count integer not null default 0;
update touchpoint_sends set recipients_accepted_count = recipients_total_sent_count;

-- A worker counts the results of a chunk here, and adds them to the send when it releases the chunk: a row that changes
-- with every commit is slow to read while a long transaction keeps its old versions.
alter table delivery_chunks
  add column sent_count integer not null default 0,
  add column bounced_count integer not null default 0,
  add column failed_count integer not null default 0,
  add column suppressed_count integer not null default 0,
  add column uncertain_count integer not null default 0,
  add check (worker_id is not null
    or (sent_count, bounced_count, failed_count, suppressed_count, uncertain_count) = (0, 0, 0, 0, 0));
create index delivery_chunks_leased on delivery_chunks (organization_id, send_id) where worker_id is not null;

alter table delivery_results
  -- Set once, when a mail server took the message.
  add column accepted_at timestamptz,
  -- Of a rejection: which command it answered, and what it means.
  add column stage text check (stage in ('mail', 'rcpt', 'data', 'message')),
  add column class text check (class in ('address_hard', 'address_likely', 'domain_hard', 'routing_soft', 'mailbox_full',
    'transient', 'expired', 'reputation', 'authentication', 'content', 'too_big', 'protocol', 'unknown'));
update delivery_results set accepted_at = at where state = 'sent';

-- One index for each look of a worker: what is due, and what is leased.
drop index delivery_retries_organization_id_send_id_due_at_idx;
create index delivery_retries_due on delivery_retries (organization_id, send_id, due_at, seq)
  where worker_id is null and due_at is not null;
create index delivery_retries_leased on delivery_retries (organization_id, send_id, seq) where worker_id is not null;
