-- A worker is alive while it holds its advisory lock; PostgreSQL releases it as soon as the process dies.
create function worker_is_alive(id integer) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 1919247220 and objid::bigint = id::bigint
      and objsubid = 2 and granted and database = (select oid from pg_database where datname = current_database())
  );
grant execute on function worker_is_alive(integer) to reachout_app;

-- The ids of all workers that are alive, to check many leases at once: each query of pg_locks reads all locks of the server.
create function living_workers() returns setof integer
  language sql stable
begin atomic
  select objid::bigint::integer from pg_locks
  where locktype = 'advisory' and classid = 1919247220 and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database());
end;
grant execute on function living_workers() to reachout_app;

-- Work of all organizations, round robin: the first of each organization comes before the second of any, so that a long
-- queue of one organization does not hide the others behind the limit. The worker then acts for each organization in turn.

-- Sends with work to do: those that are due, and those with a lease of a dead worker. There is one list for each kind of
-- work, so that work that must wait for capacity does not hide other work. The maximum of `prepare` is `prepare_rows` (0
-- while the caller cannot prepare another send), that of each other list `max_rows` (a fixed number plus the sends that the
-- caller holds); `held` has no maximum.
--   prepare  the audience has to be stored
--   single   takes single messages
--   new      has a free chunk whose time has come, and no message was processed yet
--   queued   has due messages in the delivery queue
--   chunk    has a free chunk whose time has come, and some messages were processed
--   end      was cancelled, and nothing is in progress
--   rest     none of these: is completed, or has nothing to do until later
--   held     a send that the caller is working on (`held`), with its status; missing if its organization is not active or is
--            deleted
-- Organizations have their sends prepared in the order of their ids, from the one after `prepared_for` on, for which the caller
-- prepared the last one: few fit at once, and many can be due at the same moment.
-- A send can be in several lists. The search for free chunks starts at the last chunk, because the chunks before the free
-- ones are done. The look-ups per send end as soon as a list has reached its maximum. Leases of dead workers are only
-- searched for if `of_dead_workers`: that reads all leases, and their old row versions while a long transaction keeps
-- these.
create function due_sends(prepare_rows integer, max_rows integer, held uuid[], of_dead_workers boolean, prepared_for uuid)
  returns table (work text, organization_id uuid, send_id uuid, kind text, status text, next_due_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  with abandoned as materialized (
    select c.send_id as id from public.delivery_chunks c
    where of_dead_workers and c.worker_id is not null and (c.lease_until < now() or c.worker_id <> all(array(select public.living_workers())))
    union
    select r.send_id from public.delivery_queue r
    where of_dead_workers and r.worker_id is not null and (r.lease_until < now() or r.worker_id <> all(array(select public.living_workers())))
  ), due as (
    select s.organization_id, s.id, s.kind, s.status, s.next_due_at,
      s.recipients_total_sent_count + s.recipients_total_delivery_failed_count + s.recipients_total_failed_count
        + s.recipients_suppressed_count + s.recipients_uncertain_count as processed
    from public.touchpoint_sends s
    where s.next_due_at <= now()
      and (s.status in ('queued', 'preparing', 'sending') or (s.status = 'cancelled' and s.end_date is null))
    union all
    select s.organization_id, s.id, s.kind, s.status, s.next_due_at,
      s.recipients_total_sent_count + s.recipients_total_delivery_failed_count + s.recipients_total_failed_count
        + s.recipients_suppressed_count + s.recipients_uncertain_count as processed
    from public.touchpoint_sends s
    where s.id = any(array(select a.id from abandoned a)) and (s.next_due_at <= now()) is not true
      and (s.status in ('queued', 'preparing', 'sending') or (s.status = 'cancelled' and s.end_date is null))
  ), sorted as (
    select d.organization_id, d.id, d.kind, d.status, d.next_due_at, d.id = any(array(select a.id from abandoned a)) as is_abandoned,
      case
        when d.status in ('queued', 'preparing') then 'prepare'
        when d.status = 'cancelled' then 'end'
        when d.kind in ('triggered', 'test') then 'single'
        when d.processed = 0 then 'new'
        else 'started'
      end as stage
    from due d
    join public.organizations o on o.id = d.organization_id and o.status = 'active' and not o.deleted
  ), in_turn as materialized (
    select s.*, row_number() over (partition by s.stage, s.organization_id order by s.next_due_at, s.id) as position
    from sorted s
  ), sending as materialized (
    select * from in_turn where in_turn.stage in ('new', 'started')
    order by in_turn.position, in_turn.next_due_at, in_turn.id
  ), listed as (
    (select 'prepare' as work, t.* from in_turn t where t.stage = 'prepare'
      order by t.position, t.organization_id <= prepared_for, t.organization_id limit prepare_rows)
    union all
    (select 'single', t.* from in_turn t where t.stage = 'single' order by t.position, t.next_due_at limit max_rows)
    union all
    (select 'new', t.* from sending t
      where t.stage = 'new' and (t.is_abandoned or (select true from public.delivery_chunks c
        where c.organization_id = t.organization_id and c.send_id = t.id and not c.done and c.worker_id is null and (c.not_before is null or c.not_before <= now())
        order by c.lane desc, c.first_seq desc limit 1))
      limit max_rows)
    union all
    (select 'queued', t.* from sending t
      where t.is_abandoned or (select true from public.delivery_queue r
        where r.organization_id = t.organization_id and r.send_id = t.id and r.worker_id is null and r.due_at <= now() limit 1)
      limit max_rows)
    union all
    (select 'chunk', t.* from sending t
      where t.stage = 'started' and (t.is_abandoned or (select true from public.delivery_chunks c
        where c.organization_id = t.organization_id and c.send_id = t.id and not c.done and c.worker_id is null and (c.not_before is null or c.not_before <= now())
        order by c.lane desc, c.first_seq desc limit 1))
      limit max_rows)
    union all
    (select 'end', t.* from (
        select * from in_turn where in_turn.stage = 'end' order by in_turn.position, in_turn.next_due_at offset 0
      ) t
      where t.is_abandoned or not (exists (select from public.delivery_chunks c
          where c.organization_id = t.organization_id and c.send_id = t.id and c.worker_id is not null)
        or exists (select from public.delivery_queue r
          where r.organization_id = t.organization_id and r.send_id = t.id and r.worker_id is not null))
      limit max_rows)
    union all
    (select 'rest', t.* from (select * from sending limit max_rows) t
      where not t.is_abandoned
        and (select true from public.delivery_queue r
          where r.organization_id = t.organization_id and r.send_id = t.id and r.worker_id is null and r.due_at <= now()
          limit 1) is null
        and (select true from public.delivery_chunks c
          where c.organization_id = t.organization_id and c.send_id = t.id and not c.done and c.worker_id is null and (c.not_before is null or c.not_before <= now())
          order by c.lane desc, c.first_seq desc limit 1) is null)
  )
  select l.work, l.organization_id, l.id, l.kind, l.status, l.next_due_at from listed l
  union all
  select 'held', s.organization_id, s.id, s.kind, s.status, s.next_due_at
  from public.touchpoint_sends s
  join public.organizations o on o.id = s.organization_id and o.status = 'active' and not o.deleted
  where s.id = any(held)
$$;
grant execute on function due_sends(integer, integer, uuid[], boolean, uuid) to reachout_app;

-- Sends with work that will never be due: `due_sends` does not find them, so they would be stuck permanently. There should
-- be none. Work leased by a worker that died is found even if it is not due.
create function stuck_sends(max_rows integer)
  returns table (organization_id uuid, send_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select s.organization_id, s.id
  from public.touchpoint_sends s
  where s.next_due_at is null and s.end_date is null and (
    s.status in ('queued', 'preparing', 'cancelled')
    or s.status = 'sending' and (
      exists (select from public.delivery_chunks c
        where c.organization_id = s.organization_id and c.send_id = s.id and not c.done and c.worker_id is null)
      or exists (select from public.delivery_queue r
        where r.organization_id = s.organization_id and r.send_id = s.id and r.worker_id is null and r.due_at is not null)
      or s.kind <> 'triggered'
        and not exists (select from public.delivery_chunks c
          where c.organization_id = s.organization_id and c.send_id = s.id and not c.done)
        and not exists (select from public.delivery_queue r
          where r.organization_id = s.organization_id and r.send_id = s.id)))
  order by s.id
  limit max_rows
$$;
grant execute on function stuck_sends(integer) to reachout_app;

-- Sends that ended recently and whose counters differ from the counts of their rows, or whose rows do not add up to the
-- total. There should be none.
create function unbalanced_sends(ended_within interval, max_rows integer)
  returns table (organization_id uuid, send_id uuid, counters jsonb, counted jsonb)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select s.organization_id, s.id, s.counters, r.counted || q.counted
  from (
    select t.organization_id, t.id, t.recipients_total_count, t.recipients_skipped_count + t.recipients_cancelled_count as without_row,
      jsonb_build_object('accepted', t.recipients_accepted_count, 'sent', t.recipients_total_sent_count,
        'bounced', t.recipients_total_delivery_failed_count, 'failed', t.recipients_total_failed_count,
        'suppressed', t.recipients_suppressed_count, 'uncertain', t.recipients_uncertain_count, 'waiting', 0) as counters
    from public.touchpoint_sends t
    where t.end_date > now() - ended_within
  ) s
  cross join lateral (
    select jsonb_build_object('accepted', count(d.accepted_at), 'sent', count(*) filter (where d.state = 'sent'),
      'bounced', count(*) filter (where d.state = 'bounced'), 'failed', count(*) filter (where d.state = 'failed'),
      'suppressed', count(*) filter (where d.state = 'suppressed')) as counted, count(*) as total
    from public.delivery_results d
    where d.organization_id = s.organization_id and d.send_id = s.id
  ) r
  cross join lateral (
    select jsonb_build_object('uncertain', count(*) filter (where w.kind = 'uncertain'),
      'waiting', count(*) filter (where w.kind <> 'uncertain')) as counted, count(*) as total
    from public.delivery_queue w
    where w.organization_id = s.organization_id and w.send_id = s.id
  ) q
  where s.counters <> r.counted || q.counted or s.recipients_total_count <> r.total + q.total + s.without_row
  limit max_rows
$$;
grant execute on function unbalanced_sends(interval, integer) to reachout_app;

-- Jobs that can be leased now: for each kind, as many as there are free slots, of the 1,000 that have been due longest.
-- Organizations that have reached their maximum of leased jobs of the kind are skipped. The order is round robin. Within a
-- round, organizations in `served` come last, in the order of that array. The installation counts as one more organization.
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

-- Number of open jobs of a kind, of the transaction's organization or of the installation; stops counting at `max_count`.
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
