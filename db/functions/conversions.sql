-- Conversions of websites: docs/statistics.md, "Conversions".

-- Waits for an erasure in the organization that deletes what was recorded of a send, and holds further ones back until the
-- transaction ends.
create function hold_erasures(of_organization uuid)
  returns void
  language sql
as $$
  select from organizations where id = of_organization for key share
$$;

-- The email of a send that exists and is no test.
create function email_of_send(of_organization uuid, of_send uuid)
  returns uuid
  language sql stable
as $$
  select s.touchpoint_id from touchpoint_sends s
  where s.organization_id = of_organization and s.id = of_send and s.kind <> 'test'
$$;
grant execute on function hold_erasures(uuid), email_of_send(uuid, uuid) to reachout_app;

-- Organizations with followed links that are older than this.
create function organizations_with_old_links(older_than interval, max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id from public.organizations o
  where exists (select from public.followed_links f where f.organization_id = o.id and f.at < now() - older_than)
  limit max_rows
$$;
grant execute on function organizations_with_old_links(interval, integer) to reachout_app;

-- Goals that were removed and have conversions. Each goal is one look-up in the index, however many conversions it has.
create function removed_goals(max_rows integer)
  returns table (organization_id uuid, goal_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
as $$
  with recursive counted as (
    (select c.organization_id, c.goal_id from public.conversions c order by 1, 2 limit 1)
    union all
    select next.* from counted p
    cross join lateral (
      select c.organization_id, c.goal_id from public.conversions c
      where (c.organization_id, c.goal_id) > (p.organization_id, p.goal_id)
      order by 1, 2 limit 1
    ) next
  )
  select p.* from counted p
  where not exists (
    select from public.conversion_goals g where g.organization_id = p.organization_id and g.id = p.goal_id
  )
  limit max_rows
$$;
grant execute on function removed_goals(integer) to reachout_app;
