-- A worker is alive while it holds its advisory lock; PostgreSQL releases it as soon as the process dies.
create function worker_is_alive(id integer) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 1919247220 and objid::bigint = id::bigint
      and objsubid = 2 and granted and database = (select oid from pg_database where datname = current_database())
  );
grant execute on function worker_is_alive(integer) to reachout_app;

-- Work of all organizations, round-robin: the first of each comes before the second of any, so that a long queue of one
-- organization does not hide the others behind the limit. The worker then enters each organization.

-- Cancelled sends are included until the messages that were in flight are accounted for.
create function due_sends(max_rows integer)
  returns table (organization_id uuid, send_id uuid, status text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.id, w.status
  from (
    select s.organization_id, s.id, s.status, s.send_date,
      row_number() over (partition by s.organization_id order by s.send_date, s.id) as round_robin_position
    from public.touchpoint_sends s
    join public.organizations o on o.id = s.organization_id and o.status = 'active' and not o.deleted
    where (s.status in ('queued', 'preparing', 'sending') and s.send_date <= now()
        and (s.retry_at is null or s.retry_at <= now()))
      or (s.status = 'cancelled' and s.end_date is null)
  ) w
  order by w.round_robin_position, w.send_date
  limit max_rows
$$;
grant execute on function due_sends(integer) to reachout_app;

create function due_imports(max_rows integer)
  returns table (organization_id uuid, import_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.id
  from (
    select i.organization_id, i.id, i.created_at,
      row_number() over (partition by i.organization_id order by i.created_at, i.id) as round_robin_position
    from public.content_imports i
    join public.organizations o on o.id = i.organization_id and o.status = 'active' and not o.deleted
    where i.status = 'queued'
      or (i.status = 'running' and (i.lease_until < now() or not public.worker_is_alive(i.worker_id)))
  ) w
  order by w.round_robin_position, w.created_at
  limit max_rows
$$;
grant execute on function due_imports(integer) to reachout_app;
