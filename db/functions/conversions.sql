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

-- Notes how the counts of conversions change with one. It only appends: updated counts would make transactions wait for each
-- other. Conversions are deleted only with all of their goal, website or organization, and their counts with them.
-- owner: insight/conversions
create function note_conversion_change()
  returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
begin
  insert into public.conversion_changes (organization_id, touchpoint_id, goal_id, at, count, value, attributed)
  select new.organization_id, new.touchpoint_id, new.goal_id, date_bin('15 minutes', v.at, 'epoch'), sum(v.sign),
    sum(v.sign * coalesce(v.value, 0)), sum(v.sign * num_nonnulls(v.send_id))
  from (values (1, new.at, new.value, new.send_id), (-1, old.at, old.value, old.send_id)) v (sign, at, value, send_id)
  where v.at is not null
  group by 4
  having (sum(v.sign), sum(v.sign * coalesce(v.value, 0)), sum(v.sign * num_nonnulls(v.send_id))) <> (0, 0, 0);
  return null;
end
$$;
create trigger note_conversion_change after insert or update of at, value, send_id on conversions
  for each row execute function note_conversion_change();

-- Takes up to `max_rows` changes, of all organizations or of one, to be added to `counts`. Those of a removed goal are dropped: what
-- is stored of it is erased. Called by each fold of visits, and so by one process at a time.
-- owner: insight/conversions
create function take_conversion_changes(max_rows integer, only_organization uuid)
  returns setof count_delta
  language sql set search_path = pg_catalog, public, pg_temp
as $$
  with taken as (
    delete from public.conversion_changes
    where ctid = any (array(
      select c.ctid from public.conversion_changes c
      where only_organization is null or c.organization_id = only_organization
      limit max_rows))
    returning *
  )
  select t.organization_id, t.touchpoint_id, t.goal_id, 'conversion', v.value, t.at, v.number::bigint, v.amount
  from taken t
  cross join lateral (values ('all', t.count, t.value), ('attributed', t.attributed, null)) v (value, number, amount)
  where exists (select from public.conversion_goals g where g.organization_id = t.organization_id and g.id = t.goal_id)
$$;
