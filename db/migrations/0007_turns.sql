-- Organizations take turns: the first of each comes before the second of any, so that what one of them piles up hides
-- nobody else's work behind the limit.

create or replace function sends_with_work(max_rows integer)
  returns table (organization_id uuid, send_id uuid, status text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.id, w.status
  from (
    select s.organization_id, s.id, s.status, s.send_date,
      row_number() over (partition by s.organization_id order by s.send_date, s.id) as turn
    from public.touchpoint_sends s
    join public.organizations o on o.id = s.organization_id and o.status = 'active' and not o.deleted
    where (s.status in ('queued', 'preparing', 'sending') and s.send_date <= now())
      or (s.status = 'cancelled' and s.end_date is null)
  ) w
  order by w.turn, w.send_date
  limit max_rows
$$;

create or replace function imports_with_work(max_rows integer)
  returns table (organization_id uuid, import_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.id
  from (
    select i.organization_id, i.id, i.created_at,
      row_number() over (partition by i.organization_id order by i.created_at, i.id) as turn
    from public.content_imports i
    join public.organizations o on o.id = i.organization_id and o.status = 'active' and not o.deleted
    where i.status = 'queued'
      or (i.status = 'running' and (i.lease_until < now() or not public.worker_is_alive(i.worker_id)))
  ) w
  order by w.turn, w.created_at
  limit max_rows
$$;
