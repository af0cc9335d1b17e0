-- Events of visitors of websites: docs/tracking.md, "Visitors".

-- Adds counts of events that were not stored, of all organizations at once. Those of a website that is not of their
-- organization are not counted. Sorted, so that concurrent calls cannot deadlock.
-- owner: events
create function add_website_drops(added json)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.website_drops as d (organization_id, touchpoint_id, day, reason, count, last_at)
  select a.organization_id, a.touchpoint_id, (a.last_at at time zone 'UTC')::date, a.reason, a.count, a.last_at
  from json_to_recordset(added) as a (organization_id uuid, touchpoint_id uuid, reason text, count bigint, last_at timestamptz)
  where exists (select from public.touchpoint_websites w
    where w.organization_id = a.organization_id and w.touchpoint_id = a.touchpoint_id)
  order by 1, 2, 3, 4
  on conflict (organization_id, touchpoint_id, day, reason) do update set
    count = d.count + excluded.count, last_at = greatest(d.last_at, excluded.last_at)
$$;
grant execute on function add_website_drops(json) to reachout_app;
