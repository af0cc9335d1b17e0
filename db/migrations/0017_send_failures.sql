-- A send that fails for a reason of ours is tried again later and later, and then given up.
alter table touchpoint_sends
  -- In a row, since it last went on.
  add column failure_count smallint not null default 0,
  -- Workers leave it alone until then.
  add column retry_at timestamptz;
