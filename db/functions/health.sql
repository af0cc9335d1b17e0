-- Raises an error if the database does not accept writes. The first statement needs more than its work_mem, and so allocates
-- 4 MB of disk space for a moment, more than most requests need; the second needs a durable commit, which is impossible on a
-- standby or a read-only database, and updates one row in place.
-- owner: operations/health
create function check_writes() returns void
  language sql volatile
  set work_mem = '64kB'
as $$
  with spilled as materialized (select repeat('x', 1000) as text from generate_series(1, 4000))
  select count(text) from spilled;
  insert into public.write_checks (written_at) values (now())
  on conflict (id) do update set written_at = excluded.written_at;
$$;
grant execute on function check_writes() to reachout_app;
