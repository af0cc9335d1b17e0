-- Organizations with unwritten copies but no open job to write them. This happens if a change commits while the job is
-- ending: the change finds the job still open, and enqueues none.
create function organizations_with_unwritten_copies(max_rows integer) returns setof uuid
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct o.organization_id
  from public.content_outbox o
  where o.state = 'waiting' and o.changed_at < now() - interval '30 seconds'
    and not exists (select from public.jobs j
      where j.organization_id = o.organization_id and j.kind = 'mirror' and j.state = 'open')
  limit max_rows;
$$;
grant execute on function organizations_with_unwritten_copies(integer) to reachout_app;
