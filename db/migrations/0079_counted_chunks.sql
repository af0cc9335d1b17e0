-- What was counted in a chunk that is done is added to its send later, together with that of others: a send that changed with
-- each chunk has as many versions as chunks while a long transaction keeps them, and each statement would read past them.
alter table delivery_chunks
  -- Done, and its results are in the counters of the send and in delivery_result_totals.
  add column counted boolean not null default false,
  drop constraint delivery_chunks_check;
update delivery_chunks set counted = true where done;
alter table delivery_chunks add check (
  worker_id is not null or (done and not counted)
  or (sent_count, bounced_count, failed_count, suppressed_count, uncertain_count) = (0, 0, 0, 0, 0));
create index delivery_chunks_uncounted on delivery_chunks (organization_id, send_id) where lease_token > 0 and not counted;

-- When chunks were added last.
alter table touchpoint_sends add column counted_at timestamptz;
