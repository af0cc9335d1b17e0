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

-- Notes how a statement changes what conversions add up to. It only appends: updated sums would make transactions wait for each
-- other. Conversions are deleted only with all of their goal, website or organization, and their sums with them.
-- owner: insight/conversions
create function note_conversion_changes()
  returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.conversion_changes (organization_id, touchpoint_id, goal_id, at, count, value, attributed)
    select organization_id, touchpoint_id, goal_id, date_bin('15 minutes', at, 'epoch'), count(*), coalesce(sum(value), 0),
      count(send_id)
    from new_conversions
    group by 1, 2, 3, 4;
  else
    insert into public.conversion_changes (organization_id, touchpoint_id, goal_id, at, count, value, attributed)
    select organization_id, touchpoint_id, goal_id, date_bin('15 minutes', at, 'epoch'), sum(sign),
      coalesce(sum(sign * value), 0), coalesce(sum(sign) filter (where send_id is not null), 0)
    from (
      select 1 as sign, n.* from new_conversions n
      union all
      select -1, o.* from old_conversions o
    ) versions
    group by 1, 2, 3, 4
    having (sum(sign), coalesce(sum(sign * value), 0), coalesce(sum(sign) filter (where send_id is not null), 0))
      <> (0, 0, 0);
  end if;
  return null;
end
$$;
create trigger note_new_conversions after insert on conversions
  referencing new table as new_conversions for each statement execute function note_conversion_changes();
create trigger note_changed_conversions after update on conversions
  referencing old table as old_conversions new table as new_conversions
  for each statement execute function note_conversion_changes();

-- Adds up to `max_rows` changes, of all organizations or of one, to the days. Those of a removed goal are dropped: what is stored
-- of it is erased. Called by each fold of visits, and so by one process at a time.
-- owner: insight/conversions
create function fold_conversion_changes(max_rows integer, only_organization uuid)
  returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
begin
  with taken as (
    delete from public.conversion_changes
    where ctid = any (array(
      select c.ctid from public.conversion_changes c
      where only_organization is null or c.organization_id = only_organization
      limit max_rows))
    returning *
  )
  insert into public.conversion_days as d
    (organization_id, touchpoint_id, goal_id, day, running_counts, running_values, running_attributed)
  select t.organization_id, t.touchpoint_id, t.goal_id, public.utc_day(t.at),
    public.to_running_counts(array_agg(public.utc_quarter(t.at)), array_agg(t.count)),
    public.to_running_counts(array_agg(public.utc_quarter(t.at)), array_agg(t.value)),
    public.to_running_counts(array_agg(public.utc_quarter(t.at)), array_agg(t.attributed))
  from taken t
  where exists (select from public.conversion_goals g where g.organization_id = t.organization_id and g.id = t.goal_id)
  group by 1, 2, 3, 4
  on conflict (organization_id, touchpoint_id, goal_id, day) do update set
    running_counts = public.add_running_counts(d.running_counts, excluded.running_counts),
    running_values = public.add_running_counts(d.running_values, excluded.running_values),
    running_attributed = public.add_running_counts(d.running_attributed, excluded.running_attributed);
end
$$;
