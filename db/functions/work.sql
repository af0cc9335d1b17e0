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

-- Jobs that may be leased now, of each kind as many as there are free slots, out of the 1,000 that have been due longest. An organization that has as many under way as
-- one may have of this kind is passed over; those that were served are next after the others, the first one first. The
-- installation counts as one more organization.
create function due_jobs(kinds text[], free_slots integer[], per_organization integer[], served uuid[])
  returns setof uuid
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select due.id
  from unnest(kinds, free_slots, per_organization) wanted(kind, free_slots, per_organization)
  cross join lateral (
    select w.id
    from (
      select j.organization_id, j.id, j.due_at, j.leased + row_number() over (partition by j.organization_id order by j.due_at, j.id)
        as round_robin_position
      from (
        select c.organization_id, c.id, c.due_at, coalesce(l.leased, 0) as leased
        from public.jobs c
        left join (
          select r.organization_id, count(*) as leased
          from public.jobs r
          where r.kind = wanted.kind and r.worker_id is not null
          group by r.organization_id
        ) l on l.organization_id is not distinct from c.organization_id
        where c.kind = wanted.kind and c.state = 'open' and c.worker_id is null and c.due_at <= now()
          and coalesce(l.leased, 0) < wanted.per_organization
          and (c.organization_id is null or exists (
            select from public.organizations o where o.id = c.organization_id and o.status = 'active' and not o.deleted))
        order by c.due_at
        limit 1000
      ) j
    ) w
    where w.round_robin_position <= wanted.per_organization
    order by w.round_robin_position, coalesce(array_position(served, w.organization_id), 0), w.due_at, w.id
    limit wanted.free_slots
  ) due
$$;
grant execute on function due_jobs(text[], integer[], integer[], uuid[]) to reachout_auth;

-- Open jobs of a kind, of the organization of the transaction or of the installation; counts no further than `max_count`.
create function count_open_jobs(job_kind text, of_installation boolean, max_count integer)
  returns integer
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select count(*) from (
    select from public.jobs j
    where of_installation and j.organization_id is null and j.kind = job_kind and j.state = 'open'
    union all
    select from public.jobs j
    where not of_installation and j.organization_id = public.current_organization_id() and j.kind = job_kind
      and j.state = 'open'
    limit max_count
  ) counted
$$;
grant execute on function count_open_jobs(text, boolean, integer) to reachout_app;
