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

create function utc_day(at timestamptz)
  returns date
  language sql immutable parallel safe
  return (at at time zone 'UTC')::date;

-- Offsets of time zones are multiples of a quarter of an hour.
create function quarter_of(at timestamptz)
  returns timestamptz
  language sql immutable parallel safe
  return date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00');

-- Totals are keyed by this: keys of an index have at most 2,700 bytes.
create function to_total_value(given text)
  returns text
  language sql immutable parallel safe
  return left(coalesce(given, ''), 500);

-- By width in CSS pixels.
create function screen_class(width integer)
  returns text
  language sql immutable parallel safe
  return case when width < 768 then 'phone' when width < 1024 then 'tablet' when width < 1440 then 'laptop'
    when width >= 1440 then 'desktop' else '' end;

-- What an event adds to the totals of its quarter. Names of bots are not kept.
create function visitor_event_total(at timestamptz, type text, name text, is_bot boolean)
  returns table (at timestamptz, type text, is_other boolean, name text, count bigint, bot_count bigint)
  language sql immutable parallel safe
begin atomic
  select quarter_of($1), $2, false, case when $2 = 'TRACK' and not $4 then to_total_value($3) else '' end,
    case when $4 then 0 else 1 end::bigint, case when $4 then 1 else 0 end::bigint;
end;

-- The values by which a session is counted: those of its first event.
create function session_dimensions(referrer_host text, country text, language text, width integer)
  returns table (dimension text, value text)
  language sql immutable parallel safe
begin atomic
  select 'referrer', to_total_value($1)
  union all select 'country', to_total_value($2)
  union all select 'language', to_total_value($3)
  union all select 'screen', screen_class($4);
end;

-- The values by which an event is counted: a page view by its page and by all that sessions are counted by, a TRACK event by
-- its name.
create function visitor_dimensions(type text, path text, referrer_host text, country text, language text, width integer, name text)
  returns table (dimension text, value text)
  language sql immutable parallel safe
begin atomic
  select 'path', to_total_value($2) where $1 = 'VIEW_PAGE'
  union all select 'referrer', to_total_value($3) where $1 = 'VIEW_PAGE'
  union all select 'country', to_total_value($4) where $1 = 'VIEW_PAGE'
  union all select 'language', to_total_value($5) where $1 = 'VIEW_PAGE'
  union all select 'screen', screen_class($6) where $1 = 'VIEW_PAGE'
  union all select 'event', to_total_value($7) where $1 = 'TRACK';
end;

grant execute on function quarter_of(timestamptz), utc_day(timestamptz), to_total_value(text), screen_class(integer),
  visitor_event_total(timestamptz, text, text, boolean), session_dimensions(text, text, text, integer),
  visitor_dimensions(text, text, text, text, text, integer, text) to reachout_app;

-- How new events change sessions: -1 for a session as it is stored, +1 for one as it should be, without those that stay the
-- same, and where that is stored. Of the new events of a website, also of some visitors alone; or, to fold them, of unfolded
-- events at these places.
--
-- A session has all events of a visitor without a pause of more than 30 minutes, in whatever order they arrive. So the stored
-- sessions that could touch new events are parts as the events are, and each row of parts without a longer pause is a session.
-- Of equal times the smallest values come first, because which of them arrived first must not matter.
create function visitor_session_changes(of_organization uuid, of_touchpoint uuid, only_visitors uuid[] default null,
    places tid[] default null)
  returns table (sign integer, organization_id uuid, touchpoint_id uuid, visitor_id uuid, started_at timestamptz,
    ended_at timestamptz, previous_started_at timestamptz, page_views integer, tracks integer, events integer,
    first_path text, referrer_host text, language text, country text, width integer, place tid)
  language plpgsql stable
as $$
#variable_conflict use_column
begin
  return query
  with new as materialized (
    select e.organization_id, e.touchpoint_id, e.visitor_id, e.at, e.type, e.path, e.referrer_host, e.language, e.country, e.width
    from new_visitor_events e
    where places is null and e.organization_id = of_organization and e.touchpoint_id = of_touchpoint and not e.is_bot
      and (only_visitors is null or e.visitor_id = any (only_visitors))
    union all
    select e.organization_id, e.touchpoint_id, e.visitor_id, e.at, e.type, e.path, e.referrer_host, e.language, e.country, e.width
    from unfolded_visitor_events e
    where e.ctid = any (places) and not e.is_bot
  ), visitors as (
    select n.organization_id, n.touchpoint_id, n.visitor_id, min(n.at) as first_at, max(n.at) as last_at
    from new n
    group by 1, 2, 3
  ), stored as materialized (
    -- Of each visitor: the session before the first event, which may reach until it, those up to the last event, and the next.
    select near.*
    from visitors v
    cross join lateral (
      (select s.*, s.ctid as place from visitor_sessions s
        where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at <= v.first_at
        order by s.started_at desc limit 1)
      union all
      select s.*, s.ctid from visitor_sessions s
        where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at > v.first_at and s.started_at <= v.last_at + interval '30 minutes'
      union all
      (select s.*, s.ctid from visitor_sessions s
        where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at > v.last_at + interval '30 minutes'
        order by s.started_at limit 1)
    ) near
  ), parts as (
    select n.organization_id, n.touchpoint_id, n.visitor_id, n.at as started_at, n.at as ended_at,
      null::timestamptz as previous_started_at, (n.type = 'VIEW_PAGE')::integer as page_views, (n.type = 'TRACK')::integer as tracks,
      1 as events, n.path as first_path, n.referrer_host, n.language, n.country, n.width
    from new n
    union all
    select s.organization_id, s.touchpoint_id, s.visitor_id, s.started_at, s.ended_at, s.previous_started_at, s.page_views,
      s.tracks, s.events, s.first_path, s.referrer_host, s.language, s.country, s.width
    from stored s
  ), marked as (
    select p.*, coalesce(p.started_at > max(p.ended_at) over (w rows between unbounded preceding and 1 preceding)
      + interval '30 minutes', true) as is_first
    from parts p
    window w as (partition by p.visitor_id, p.touchpoint_id, p.organization_id
      order by p.started_at, p.first_path collate "C", p.referrer_host collate "C", p.language collate "C",
        p.country collate "C", p.width)
  ), numbered as (
    select m.*, count(*) filter (where m.is_first) over (
      partition by m.visitor_id, m.touchpoint_id, m.organization_id
      order by m.started_at, m.first_path collate "C", m.referrer_host collate "C", m.language collate "C",
        m.country collate "C", m.width
      rows unbounded preceding) as number
    from marked m
  ), joined as (
    select n.organization_id, n.touchpoint_id, n.visitor_id, min(n.started_at) as started_at, max(n.ended_at) as ended_at,
      min(n.previous_started_at) as least_previous, n.number, sum(n.page_views)::integer as page_views,
      sum(n.tracks)::integer as tracks, sum(n.events)::integer as events, min(n.first_path) filter (where n.is_first) as first_path,
      min(n.referrer_host) filter (where n.is_first) as referrer_host, min(n.language) filter (where n.is_first) as language,
      min(n.country) filter (where n.is_first) as country, min(n.width) filter (where n.is_first) as width
    from numbered n
    group by 1, 2, 3, n.number
  ), compared as (
    select -1 as sign, s.organization_id, s.touchpoint_id, s.visitor_id, s.started_at, s.ended_at, s.previous_started_at,
      s.page_views, s.tracks, s.events, s.first_path, s.referrer_host, s.language, s.country, s.width, s.place
    from stored s
    union all
    select 1, j.organization_id, j.touchpoint_id, j.visitor_id, j.started_at, j.ended_at,
      -- The first one has a session before it only if it was stored with that.
      case when j.number = 1 then case when j.least_previous < j.started_at then j.least_previous end
        else lag(j.started_at) over (partition by j.visitor_id, j.touchpoint_id, j.organization_id order by j.number) end,
      j.page_views, j.tracks, j.events, j.first_path, j.referrer_host, j.language, j.country, j.width, null
    from joined j
  )
  select sum(c.sign)::integer, c.organization_id, c.touchpoint_id, c.visitor_id, c.started_at, c.ended_at,
    c.previous_started_at, c.page_views, c.tracks, c.events, c.first_path, c.referrer_host, c.language, c.country, c.width,
    min(c.place)
  from compared c
  group by 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  having sum(c.sign) <> 0;
end
$$;
grant execute on function visitor_session_changes(uuid, uuid, uuid[], tid[]) to reachout_app;

-- Sessions of a website, also those of events that are not folded yet; of some visitors alone, if given.
create function current_visitor_sessions(of_organization uuid, of_touchpoint uuid, only_visitors uuid[] default null)
  returns setof visitor_sessions
  language sql stable
as $$
  with changes as materialized (
    select * from visitor_session_changes(of_organization, of_touchpoint, only_visitors)
  )
  select s.*
  from visitor_sessions s
  where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint and s.events > 0
    and (only_visitors is null or s.visitor_id = any (only_visitors))
    and not exists (select from changes c where c.sign < 0 and c.visitor_id = s.visitor_id and c.started_at = s.started_at)
  union all
  select c.organization_id, c.touchpoint_id, c.visitor_id, c.started_at, c.ended_at, c.previous_started_at, c.page_views,
    c.events, c.first_path, c.referrer_host, c.language, c.country, c.width, c.tracks
  from changes c where c.sign > 0
$$;
grant execute on function current_visitor_sessions(uuid, uuid, uuid[]) to reachout_app;

-- Sessions per quarter of their start, also those of events that are not folded yet; several rows for a quarter.
create function current_visitor_session_totals(of_organization uuid, of_touchpoint uuid)
  returns table (at timestamptz, sessions bigint, with_page_views bigint, with_tracks bigint, with_identifies bigint)
  language sql stable
as $$
  select t.at, t.sessions, t.with_page_views, t.with_tracks, t.with_identifies
  from visitor_session_totals t
  where t.organization_id = of_organization and t.touchpoint_id = of_touchpoint
  union all
  select quarter_of(c.started_at), c.sign, case when c.page_views > 0 then c.sign else 0 end,
    case when c.tracks > 0 then c.sign else 0 end, case when c.events > c.page_views + c.tracks then c.sign else 0 end
  from visitor_session_changes(of_organization, of_touchpoint) c
$$;
grant execute on function current_visitor_session_totals(uuid, uuid) to reachout_app;

-- Page views, events and sessions of a website by day, also those that are not folded yet; several rows for a value.
create function current_visitor_day_totals(of_organization uuid, of_touchpoint uuid)
  returns table (day date, dimension text, is_other boolean, value text, count bigint, sessions bigint)
  language plpgsql stable
as $$
#variable_conflict use_column
begin
  return query
  select t.day, t.dimension, t.is_other, t.value, t.count, t.sessions
  from visitor_day_totals t
  where t.organization_id = of_organization and t.touchpoint_id = of_touchpoint
  union all
  select utc_day(e.at), d.dimension, false, d.value, 1::bigint, 0::bigint
  from new_visitor_events e
  cross join lateral visitor_dimensions(e.type, e.path, e.referrer_host, e.country, e.language, e.width, e.name) d
  where e.organization_id = of_organization and e.touchpoint_id = of_touchpoint and not e.is_bot
  union all
  select utc_day(c.started_at), d.dimension, false, d.value, 0, c.sign
  from visitor_session_changes(of_organization, of_touchpoint) c
  cross join lateral session_dimensions(c.referrer_host, c.country, c.language, c.width) d;
end
$$;
grant execute on function current_visitor_day_totals(uuid, uuid) to reachout_app;

-- Counts the visitors of a website in a period, from `from_time` until before `to_time`: those with a session that began in it.
-- That is its sessions whose previous one is before it. Full days are read from visitor_days, the rest, because few time
-- zones begin their days with UTC, from single sessions. Where these are no longer kept, the period is rounded to days in UTC.
create function count_visitors(of_organization uuid, of_touchpoint uuid, from_time timestamptz, to_time timestamptz)
  returns bigint
  language plpgsql stable
as $$
declare
  kept_from timestamptz;
  first_day date;
  end_day date;
  visitors bigint;
begin
  select visits_kept_from(o.website_events_days) into kept_from from organizations o where o.id = of_organization;
  if from_time < kept_from then
    from_time := utc_day(from_time + interval '12 hours')::timestamp at time zone 'UTC';
  end if;
  if to_time < kept_from then
    to_time := utc_day(to_time + interval '12 hours')::timestamp at time zone 'UTC';
  end if;
  first_day := utc_day(from_time + interval '1 day' - interval '1 microsecond');
  end_day := greatest(utc_day(to_time), first_day);

  select coalesce(sum(part.sessions), 0)::bigint into visitors
  from (
    select d.sessions
    from visitor_days d
    where d.organization_id = of_organization and d.touchpoint_id = of_touchpoint and d.day >= first_day and d.day < end_day
      and d.previous_day < first_day
    union all
    -- Of these, those that came back, but were here in the part of the period before its first full day.
    select -count(*)
    from visitor_sessions s
    where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint
      and s.previous_started_at >= from_time and s.previous_started_at < first_day::timestamp at time zone 'UTC'
      and s.started_at >= first_day::timestamp at time zone 'UTC' and s.started_at < end_day::timestamp at time zone 'UTC'
    union all
    select count(*)
    from visitor_sessions s
    where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint
      and s.started_at >= from_time and s.started_at < least(first_day::timestamp at time zone 'UTC', to_time) and s.events > 0
      and (s.previous_started_at is null or s.previous_started_at < from_time)
    union all
    select count(*)
    from visitor_sessions s
    where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint
      and s.started_at >= end_day::timestamp at time zone 'UTC' and s.started_at < to_time and s.events > 0
      and (s.previous_started_at is null or s.previous_started_at < from_time)
    union all
    select c.sign
    from visitor_session_changes(of_organization, of_touchpoint) c
    where c.started_at >= from_time and c.started_at < to_time
      and (c.previous_started_at is null or c.previous_started_at < from_time)
  ) part (sessions);
  return visitors;
end
$$;
grant execute on function count_visitors(uuid, uuid, timestamptz, timestamptz) to reachout_app;

-- Bounds the values of a day and dimension, of which forged names could otherwise be without end: above 2,000, the 1,000
-- largest stay, and the rest is added to "other". So is what would fall below none, because its value is in "other" already.
-- Names that are no longer kept for the day are not kept for its quarters either. Sums stay the same.
-- owner: events
create function bound_visitor_day(place visitor_day_totals)
  returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  is_full constant boolean := 2000 < (select count(*) from public.visitor_day_totals t
    where t.organization_id = place.organization_id and t.touchpoint_id = place.touchpoint_id and t.day = place.day
      and t.dimension = place.dimension and not t.is_other);
begin
  if not is_full and place.sessions = 0 then
    return;
  end if;
  with ranked as (
    select t.value, t.sessions < 0 as is_negative, row_number() over (order by t.count + t.sessions desc, t.value) as rank
    from public.visitor_day_totals t
    where t.organization_id = place.organization_id and t.touchpoint_id = place.touchpoint_id and t.day = place.day
      and t.dimension = place.dimension and not t.is_other
  ), removed as (
    delete from public.visitor_day_totals t using ranked r
    where t.organization_id = place.organization_id and t.touchpoint_id = place.touchpoint_id and t.day = place.day
      and t.dimension = place.dimension and not t.is_other and t.value = r.value and (is_full and r.rank > 1000 or r.is_negative)
    returning t.value, t.count, t.sessions
  ), removed_names as (
    delete from public.visitor_event_totals t using removed r
    where place.dimension = 'event' and t.organization_id = place.organization_id and t.touchpoint_id = place.touchpoint_id
      and t.at >= place.day::timestamp at time zone 'UTC' and t.at < (place.day + 1)::timestamp at time zone 'UTC'
      and t.type = 'TRACK' and not t.is_other and t.name = r.value
    returning t.at, t.count, t.bot_count
  ), other_names as (
    insert into public.visitor_event_totals as t (organization_id, touchpoint_id, at, type, is_other, name, count, bot_count)
    select place.organization_id, place.touchpoint_id, n.at, 'TRACK', true, '', sum(n.count), sum(n.bot_count)
    from removed_names n
    group by n.at
    on conflict (organization_id, touchpoint_id, at, type, is_other, name) do update set
      count = t.count + excluded.count, bot_count = t.bot_count + excluded.bot_count
  )
  insert into public.visitor_day_totals as t
    (organization_id, touchpoint_id, day, dimension, is_other, value, count, sessions)
  select place.organization_id, place.touchpoint_id, place.day, place.dimension, true, '', sum(r.count), sum(r.sessions)
  from removed r
  having count(*) > 0
  on conflict (organization_id, touchpoint_id, day, dimension, is_other, value) do update set
    count = t.count + excluded.count, sessions = t.sessions + excluded.sessions;
end
$$;

-- Folds the unfolded events of all organizations, or of one, up to `max_rows`: into visitor_events, sessions and totals. Only one
-- process does so at a time, and not while rows of visitors are erased (events/erase-visitors.ts).
-- Returns how many events were taken.
-- owner: events
create function fold_visitor_events(max_rows integer, only_organization uuid default null)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  taken tid[];
  fresh tid[];
  grown public.visitor_day_totals[];
  place public.visitor_day_totals;
begin
  if not pg_try_advisory_xact_lock(hashtext('reachout visitors')) then
    return 0;
  end if;
  -- PostgreSQL has no statistics about rows that are being folded, and plans once. Stored rows are found by their keys or
  -- places, the others joined by hashes.
  perform set_config('plan_cache_mode', 'force_generic_plan', true), set_config('work_mem', '64MB', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'on', true);
  taken := array(select u.ctid from public.unfolded_visitor_events u
    where only_organization is null or u.organization_id = only_organization limit max_rows);
  if cardinality(taken) = 0 then
    return 0;
  end if;
  perform set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true);
  fresh := array(select n.place from public.new_visitor_events n
    where n.place = any (taken) and exists (select from public.touchpoint_websites w
      where w.organization_id = n.organization_id and w.touchpoint_id = n.touchpoint_id));
  perform set_config('enable_hashjoin', 'on', true), set_config('enable_nestloop', 'off', true);

  insert into public.visitor_events
    (organization_id, touchpoint_id, at, id, type, visitor_id, name, url, path, title, referrer, referrer_host, language,
      country, width, height, user_id, collection, is_bot)
  select u.organization_id, u.touchpoint_id, u.at, u.id, u.type, u.visitor_id, u.name, u.url, u.path, u.title, u.referrer,
    u.referrer_host, u.language, u.country, u.width, u.height, u.user_id, u.collection, u.is_bot
  from public.unfolded_visitor_events u where u.ctid = any (fresh);

  with changes as materialized (
    select * from public.visitor_session_changes(null, null, null, fresh)
  ), events as materialized (
    select u.organization_id, u.touchpoint_id, u.id, u.at, u.client_at, u.type, u.name, u.path, u.referrer_host, u.language,
      u.country, u.width, u.is_bot
    from public.unfolded_visitor_events u where u.ctid = any (fresh)
  ), replaced as (
    insert into public.replaced_visitor_events (organization_id, touchpoint_id, id)
    select e.organization_id, e.touchpoint_id, e.id from events e where e.client_at is not null
  ), event_totals as (
    insert into public.visitor_event_totals as t (organization_id, touchpoint_id, at, type, is_other, name, count, bot_count)
    select e.organization_id, e.touchpoint_id, a.at, a.type, a.is_other, a.name, sum(a.count), sum(a.bot_count)
    from events e
    cross join lateral public.visitor_event_total(e.at, e.type, e.name, e.is_bot) a
    group by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, touchpoint_id, at, type, is_other, name) do update set
      count = t.count + excluded.count, bot_count = t.bot_count + excluded.bot_count
  ), removed as (
    delete from public.visitor_sessions s
    where s.ctid = any (array(
      select c.place from changes c
      where c.sign < 0 and not exists (select from changes n where n.sign > 0 and n.organization_id = c.organization_id
        and n.touchpoint_id = c.touchpoint_id and n.visitor_id = c.visitor_id and n.started_at = c.started_at)))
  ), stored as (
    insert into public.visitor_sessions as s
      (organization_id, touchpoint_id, visitor_id, started_at, ended_at, previous_started_at, page_views, tracks, events,
        first_path, referrer_host, language, country, width)
    select c.organization_id, c.touchpoint_id, c.visitor_id, c.started_at, c.ended_at, c.previous_started_at, c.page_views,
      c.tracks, c.events, c.first_path, c.referrer_host, c.language, c.country, c.width
    from changes c where c.sign > 0
    on conflict (organization_id, touchpoint_id, visitor_id, started_at) do update set
      ended_at = excluded.ended_at, previous_started_at = excluded.previous_started_at, page_views = excluded.page_views,
      tracks = excluded.tracks, events = excluded.events, first_path = excluded.first_path,
      referrer_host = excluded.referrer_host, language = excluded.language, country = excluded.country, width = excluded.width
  ), session_totals as (
    insert into public.visitor_session_totals as t
      (organization_id, touchpoint_id, at, sessions, with_page_views, with_tracks, with_identifies)
    select c.organization_id, c.touchpoint_id, public.quarter_of(c.started_at), sum(c.sign),
      coalesce(sum(c.sign) filter (where c.page_views > 0), 0), coalesce(sum(c.sign) filter (where c.tracks > 0), 0),
      coalesce(sum(c.sign) filter (where c.events > c.page_views + c.tracks), 0)
    from changes c
    group by 1, 2, 3
    on conflict (organization_id, touchpoint_id, at) do update set sessions = t.sessions + excluded.sessions,
      with_page_views = t.with_page_views + excluded.with_page_views, with_tracks = t.with_tracks + excluded.with_tracks,
      with_identifies = t.with_identifies + excluded.with_identifies
  ), days as (
    insert into public.visitor_days as d (organization_id, touchpoint_id, day, previous_day, sessions)
    select c.organization_id, c.touchpoint_id, public.utc_day(c.started_at),
      coalesce(public.utc_day(c.previous_started_at), '-infinity'), sum(c.sign)
    from changes c
    group by 1, 2, 3, 4
    having sum(c.sign) <> 0
    on conflict (organization_id, touchpoint_id, day, previous_day) do update set sessions = d.sessions + excluded.sessions
  ), day_totals as (
    insert into public.visitor_day_totals as t
      (organization_id, touchpoint_id, day, dimension, is_other, value, count, sessions)
    select a.organization_id, a.touchpoint_id, a.day, a.dimension, false, a.value, sum(a.count), sum(a.sessions)
    from (
      select e.organization_id, e.touchpoint_id, public.utc_day(e.at) as day, d.dimension, d.value, 1 as count, 0 as sessions
      from events e
      cross join lateral public.visitor_dimensions(e.type, e.path, e.referrer_host, e.country, e.language, e.width, e.name) d
      where not e.is_bot
      union all
      select c.organization_id, c.touchpoint_id, c.day, d.dimension, d.value, 0, c.sessions
      from (
        select n.organization_id, n.touchpoint_id, public.utc_day(n.started_at) as day, n.referrer_host, n.country, n.language,
          n.width, sum(n.sign) as sessions
        from changes n
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(n.sign) <> 0
      ) c
      cross join lateral public.session_dimensions(c.referrer_host, c.country, c.language, c.width) d
    ) a
    group by 1, 2, 3, 4, 6
    having sum(a.count) <> 0 or sum(a.sessions) <> 0
    on conflict (organization_id, touchpoint_id, day, dimension, is_other, value) do update set
      count = t.count + excluded.count, sessions = t.sessions + excluded.sessions
    -- Only inserted rows have no xmax.
    returning t.organization_id, t.touchpoint_id, t.day, t.dimension, t.xmax = 0 as is_new, t.sessions < 0 as is_negative
  )
  select array_agg(row(g.*)::public.visitor_day_totals) into grown
  from (
    select d.organization_id, d.touchpoint_id, d.day, d.dimension, false, '', count(*), count(*) filter (where d.is_negative)
    from day_totals d where d.is_new or d.is_negative
    group by 1, 2, 3, 4
  ) g;

  foreach place in array coalesce(grown, '{}') loop
    perform public.bound_visitor_day(place);
  end loop;
  delete from public.unfolded_visitor_events u where u.ctid = any (taken);
  delete from public.replaced_visitor_events r where r.ctid = any (array(
    select o.ctid from public.replaced_visitor_events o where o.created_at < now() - interval '30 days' limit max_rows));
  perform set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'auto', true);
  return cardinality(taken);
end
$$;
grant execute on function fold_visitor_events(integer, uuid) to reachout_app;
