-- Whether the database takes writes. The first statement needs more than its memory, and asks the disk for space; the second asks
-- for a commit that is on disk, which neither a standby nor a read-only database gives.
-- owner: operations/health
create function check_writes() returns void
  language sql volatile
  set work_mem = '64kB'
as $$
  with spilled as materialized (select repeat('x', 1000) as text from generate_series(1, 500))
  select count(text) from spilled;
  insert into public.write_checks (written_at) values (now())
  on conflict (id) do update set written_at = excluded.written_at;
$$;
grant execute on function check_writes() to reachout_app;
