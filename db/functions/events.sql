-- Running counts of a day: 96 cumulative counts, each up to the end of a quarter hour. Storing an event waits for these
-- functions.

-- Converts counts per quarter hour to running counts. Takes at least one count, in any order.
create function to_running_counts(quarters integer[], counts integer[])
  returns integer[]
  language plpgsql immutable strict parallel safe
as $$
declare
  running integer[] := array_fill(0, array[quarters[1]]) || array_fill(counts[1], array[96 - quarters[1]]);
begin
  for i in 2 .. cardinality(quarters) loop
    for quarter in quarters[i] + 1 .. 96 loop
      running[quarter] := running[quarter] + counts[i];
    end loop;
  end loop;
  return running;
end
$$;

create function add_running_counts(running integer[], added integer[])
  returns integer[]
  language plpgsql immutable strict parallel safe
as $$
begin
  -- Behind those to which nothing is added.
  for quarter in width_bucket(0, added) + 1 .. 96 loop
    running[quarter] := running[quarter] + added[quarter];
  end loop;
  return running;
end
$$;
grant execute on function to_running_counts(integer[], integer[]), add_running_counts(integer[], integer[]) to reachout_app;

-- Stores events of visitors, of all organizations at once. Those of a website that is not of their organization are not
-- stored, nor an event that waits already.
-- owner: events
create function append_visitor_events(added json)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.unfolded_visitor_events
    (organization_id, touchpoint_id, id, at, client_at, type, visitor_id, name, url, path, title, referrer, referrer_host,
      language, country, width, height, user_id, collection, is_bot)
  select e.*
  from json_to_recordset(added) as e (organization_id uuid, touchpoint_id uuid, id uuid, at timestamptz, client_at timestamptz,
    type text, visitor_id uuid, name text, url text, path text, title text, referrer text, referrer_host text, language text,
    country text, width integer, height integer, user_id text, collection text, is_bot boolean)
  where exists (select from public.touchpoint_websites w
    where w.organization_id = e.organization_id and w.touchpoint_id = e.touchpoint_id)
  on conflict do nothing
$$;
grant execute on function append_visitor_events(json) to reachout_app;
