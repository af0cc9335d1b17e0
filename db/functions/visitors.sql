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

-- Adds what websites took on a day (days since 1970-01-01, UTC), of all organizations at once, and returns what they have on their
-- latest day with that of other processes. A day before the latest one no longer counts. That of a website that is not of the
-- organization is not counted. Sorted, so that concurrent calls cannot deadlock.
-- owner: events
create function add_website_use(added json)
  returns table (touchpoint_id uuid, day integer, events bigint, bytes bigint)
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.website_use as u (organization_id, touchpoint_id, day, events, bytes)
  select a.organization_id, a.touchpoint_id, date '1970-01-01' + a.day, a.events, a.bytes
  from json_to_recordset(added) as a (organization_id uuid, touchpoint_id uuid, day integer, events bigint, bytes bigint)
  where exists (select from public.touchpoint_websites w
    where w.organization_id = a.organization_id and w.touchpoint_id = a.touchpoint_id)
  order by 1, 2
  on conflict (organization_id, touchpoint_id) do update set
    day = greatest(u.day, excluded.day),
    events = case when u.day > excluded.day then u.events when u.day = excluded.day then u.events + excluded.events
      else excluded.events end,
    bytes = case when u.day > excluded.day then u.bytes when u.day = excluded.day then u.bytes + excluded.bytes
      else excluded.bytes end
  returning u.touchpoint_id, u.day - date '1970-01-01', u.events, u.bytes
$$;
grant execute on function add_website_use(json) to reachout_app;

create function utc_month(day date)
  returns date
  language sql immutable parallel safe
  return day - date_part('day', day)::integer + 1;

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

-- The value of an event by which its dimension is counted. Folds to one expression where the dimension is a constant.
-- A page has its host before its path, because hosts of a website can have different pages at the same path.
create function visitor_value(dimension text, url text, path text, referrer_host text, country text, language text, width integer,
    name text)
  returns text
  language sql immutable parallel safe
  return case $1 when 'path' then to_total_value(split_part($2, '/', 3) || $3) when 'host' then to_total_value(split_part($2, '/', 3))
    when 'referrer' then to_total_value($4) when 'country' then to_total_value($5)
    when 'language' then to_total_value($6) when 'screen' then screen_class($7) when 'event' then to_total_value($8) end;

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

-- What a session is counted as: empty for each, and the types of its events.
create function session_types(page_views integer, tracks integer, events integer)
  returns table (type text)
  language sql immutable parallel safe
begin atomic
  select ''
  union all select 'VIEW_PAGE' where $1 > 0
  union all select 'TRACK' where $2 > 0
  union all select 'IDENTIFY' where $3 > $1 + $2;
end;

-- The values by which an event is counted: a page view by its page and host and by all that sessions are counted by, a TRACK
-- event by its name.
create function visitor_dimensions(type text, url text, path text, referrer_host text, country text, language text, width integer,
    name text)
  returns table (dimension text, value text)
  language sql immutable parallel safe
begin atomic
  select 'path', visitor_value('path', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'host', visitor_value('host', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'referrer', visitor_value('referrer', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'country', visitor_value('country', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'language', visitor_value('language', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'screen', visitor_value('screen', $2, $3, $4, $5, $6, $7, $8) where $1 = 'VIEW_PAGE'
  union all select 'event', visitor_value('event', $2, $3, $4, $5, $6, $7, $8) where $1 = 'TRACK';
end;

grant execute on function utc_month(date), to_total_value(text),
  screen_class(integer), visitor_value(text, text, text, text, text, text, integer, text),
  session_dimensions(text, text, text, integer), session_types(integer, integer, integer),
  visitor_dimensions(text, text, text, text, text, text, integer, text) to reachout_app;

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
      and s.previous_day = first_day - 1 and s.previous_started_at >= from_time
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
  ) part (sessions);
  return visitors;
end
$$;
grant execute on function count_visitors(uuid, uuid, timestamptz, timestamptz) to reachout_app;

-- Bounds the values of a month and dimension, of which forged names could otherwise be without end: above 2,000, the 1,000
-- largest stay, and the rest is added to "other". So is what would fall below none, because its value is in "other" already.
-- Sums stay the same.
-- owner: events
create function bound_visitor_month(of_organization uuid, of_touchpoint uuid, of_dimension text, of_month date, has_negative boolean)
  returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  is_full constant boolean := 2000 < (select count(*) from public.visitor_value_months m
    where m.organization_id = of_organization and m.touchpoint_id = of_touchpoint and m.dimension = of_dimension
      and m.month = of_month and not m.is_other);
begin
  if not is_full and not has_negative then
    return;
  end if;
  with ranked as (
    select m.value, m.running_sessions[31] < 0 as is_negative,
      row_number() over (order by m.running_counts[31] + m.running_sessions[31] desc, m.value) as rank
    from public.visitor_value_months m
    where m.organization_id = of_organization and m.touchpoint_id = of_touchpoint and m.dimension = of_dimension
      and m.month = of_month and not m.is_other
  ), removed as (
    delete from public.visitor_value_months m using ranked r
    where m.organization_id = of_organization and m.touchpoint_id = of_touchpoint and m.dimension = of_dimension
      and m.month = of_month and not m.is_other and m.value = r.value and (is_full and r.rank > 1000 or r.is_negative)
    returning m.running_counts, m.running_sessions
  ), by_day as (
    select d.day, sum(r.running_counts[d.day])::integer as count, sum(r.running_sessions[d.day])::integer as sessions
    from removed r
    cross join generate_series(1, 31) d(day)
    group by 1
  )
  insert into public.visitor_value_months as m
    (organization_id, touchpoint_id, dimension, month, is_other, value, running_counts, running_sessions)
  select of_organization, of_touchpoint, of_dimension, of_month, true, '', array_agg(d.count order by d.day),
    array_agg(d.sessions order by d.day)
  from by_day d
  having count(*) > 0
  on conflict (organization_id, touchpoint_id, dimension, month, is_other, value) do update set
    running_counts = public.add_running_counts(m.running_counts, excluded.running_counts),
    running_sessions = public.add_running_counts(m.running_sessions, excluded.running_sessions);
end
$$;

-- Events of visitors that touchpoints may react to: the new ones of visitors who are known, and, where a link that makes a visitor
-- known comes after events that followed it, these as well.
create function visitor_causes(fresh tid[], notifiers uuid[])
  returns setof cause
  language sql stable
as $$
  with new as materialized (
    select u.organization_id, u.touchpoint_id, u.visitor_id, u.id, u.at, u.type, u.name, u.path
    from public.unfolded_visitor_events u
    where u.ctid = any (fresh) and u.touchpoint_id = any (notifiers) and not u.is_bot
      and (
        select true from public.visitor_contacts v
        where v.organization_id = u.organization_id and v.touchpoint_id = u.touchpoint_id and v.visitor_id = u.visitor_id limit 1
      )
  ), bound as materialized (
    select n.organization_id, n.touchpoint_id, n.visitor_id, n.at, s.started_at, s.ended_at
    from new n
    join public.visitor_contacts v on v.organization_id = n.organization_id and v.touchpoint_id = n.touchpoint_id
      and v.visitor_id = n.visitor_id and v.bound_at = n.at
    join public.visitor_sessions s on s.organization_id = n.organization_id and s.touchpoint_id = n.touchpoint_id
      and s.visitor_id = n.visitor_id and s.started_at <= n.at + interval '1 day' and s.ended_at > n.at
  )
  select e.organization_id, e.type, e.touchpoint_id::text, null::uuid, e.id::text, e.at, null::boolean, null::uuid, null::integer,
    null::integer, e.visitor_id, null::text, null::text, coalesce(e.name, e.path), null::text
  from (
    select n.* from new n
    union
    select e.organization_id, e.touchpoint_id, e.visitor_id, e.id, e.at, e.type, e.name, e.path
    from (
      select b.organization_id, b.touchpoint_id, min(b.at) as since, max(b.ended_at) as until from bound b group by 1, 2
    ) span
    cross join lateral (
      -- Of all visitors, once for all that were bound: no index finds those of one.
      select e.* from public.visitor_events e
      where e.organization_id = span.organization_id and e.touchpoint_id = span.touchpoint_id
        and e.at > span.since and e.at <= span.until
      order by e.at limit 100000
    ) e
    join bound b on b.organization_id = e.organization_id and b.touchpoint_id = e.touchpoint_id and b.visitor_id = e.visitor_id
    -- `is true` keeps the look-up in a hash: estimates of what is new would choose a loop over both.
    where (e.visitor_id in (select o.visitor_id from bound o)) is true and not e.is_bot
      and e.at > b.at and e.at >= b.started_at and e.at <= b.ended_at
  ) e
$$;

-- Folds the unfolded events of all organizations, or of one, up to `max_rows`: into visitor_events, sessions and totals; and
-- changes of conversions. Only one process does so at a time, and not while rows of visitors are erased
-- (`lockOutFolds`).
-- Returns how many events were taken.
-- owner: events
create function fold_visitor_events(max_rows integer, only_organization uuid default null)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  taken tid[];
  fresh tid[];
  grown public.visitor_value_months[];
  place public.visitor_value_months;
  deltas public.count_delta[];
  is_partial boolean;
  -- Websites that touchpoints listen to.
  notifiers uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtext('reachout visitors')) then
    return 0;
  end if;
  deltas := array(select d from public.take_conversion_changes(max_rows, only_organization) d);
  perform public.add_to_counts(deltas);
  is_partial := only_organization is not null or cardinality(deltas) >= max_rows;
  -- PostgreSQL has no statistics about rows that are being folded, and plans once. Stored rows are found by their keys or
  -- places, the others joined by hashes.
  perform set_config('plan_cache_mode', 'force_generic_plan', true), set_config('work_mem', '64MB', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'on', true);
  taken := array(select u.ctid from public.unfolded_visitor_events u
    where only_organization is null or u.organization_id = only_organization limit max_rows);
  if cardinality(taken) = 0 then
    if not is_partial then
      perform public.note_folded('visitor', interval '5 seconds');
    end if;
    return 0;
  end if;
  perform set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true);
  -- An event whose time was replaced may have arrived before with the time of its client, or with another time of the server.
  fresh := array(select u.ctid from public.unfolded_visitor_events u
    where u.ctid = any (taken)
      and exists (select from public.touchpoint_websites w
        where w.organization_id = u.organization_id and w.touchpoint_id = u.touchpoint_id)
      and not exists (select from public.visitor_events e
        where e.organization_id = u.organization_id and e.touchpoint_id = u.touchpoint_id and e.at = u.at and e.id = u.id)
      and not exists (select from public.visitor_events e
        where e.organization_id = u.organization_id and e.touchpoint_id = u.touchpoint_id and e.at = u.client_at and e.id = u.id)
      and not exists (select from public.replaced_visitor_events r
        where r.organization_id = u.organization_id and r.touchpoint_id = u.touchpoint_id and r.id = u.id));
  perform set_config('enable_hashjoin', 'on', true), set_config('enable_nestloop', 'off', true);

  insert into public.visitor_events
    (organization_id, touchpoint_id, at, id, type, visitor_id, name, url, path, title, referrer, referrer_host, language,
      country, width, height, user_id, collection, is_bot)
  select u.organization_id, u.touchpoint_id, u.at, u.id, u.type, u.visitor_id, u.name, u.url, u.path, u.title, u.referrer,
    u.referrer_host, u.language, u.country, u.width, u.height, u.user_id, u.collection, u.is_bot
  from public.unfolded_visitor_events u where u.ctid = any (fresh);

  -- A session has all events of a visitor without a pause of more than 30 minutes, in whatever order they arrive. So the stored
  -- sessions that could touch new events are parts as the events are, and each row of parts without a longer pause is a session.
  -- Of equal times the smallest values come first, because which of them arrived first must not matter.
  with events as materialized (
    select u.organization_id, u.touchpoint_id, u.id, u.at, u.client_at, u.type, u.visitor_id, u.name, u.url, u.path,
      u.referrer_host, u.language, u.country, u.width, u.is_bot
    from public.unfolded_visitor_events u where u.ctid = any (fresh)
  ), visitors as (
    select e.organization_id, e.touchpoint_id, e.visitor_id, min(e.at) as first_at, max(e.at) as last_at
    from events e
    where not e.is_bot
    group by 1, 2, 3
  ), reaching as materialized (
    -- Whether the session before the first event of a visitor may reach until it is in the index: rows of old sessions would be
    -- read from a page each.
    select v.*, case when b.may_reach then b.started_at else v.first_at end as from_at,
      case when not b.may_reach then b.started_at end as previous_started_at
    from visitors v
    left join lateral (
      select s.started_at, s.is_long or s.started_at + interval '6 hours 30 minutes' >= v.first_at as may_reach
      from public.visitor_sessions s
      where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
        and s.started_at <= v.first_at
      order by s.started_at desc limit 1
    ) b on true
  ), nearby as materialized (
    -- Of each visitor: that session, those up to the last event, and the next.
    select n.*
    from reaching v
    cross join lateral (
      select s.*, s.ctid as place from public.visitor_sessions s
        where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at >= v.from_at and s.started_at <= v.last_at + interval '30 minutes'
      union all
      (select s.*, s.ctid from public.visitor_sessions s
        where s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at > v.last_at + interval '30 minutes'
        order by s.started_at limit 1)
    ) n
  ), parts as (
    select e.organization_id, e.touchpoint_id, e.visitor_id, e.at as started_at, e.at as ended_at,
      null::timestamptz as previous_started_at, (e.type = 'VIEW_PAGE')::integer as page_views, (e.type = 'TRACK')::integer as tracks,
      1 as events, e.path as first_path, e.referrer_host, e.language, e.country, e.width
    from events e
    where not e.is_bot
    union all
    select s.organization_id, s.touchpoint_id, s.visitor_id, s.started_at, s.ended_at, s.previous_started_at, s.page_views,
      s.tracks, s.events, s.first_path, s.referrer_host, s.language, s.country, s.width
    from nearby s
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
    from nearby s
    union all
    select 1, j.organization_id, j.touchpoint_id, j.visitor_id, j.started_at, j.ended_at,
      -- The first one has a session before it only if that does not reach it, or if it was stored with that.
      case when j.number = 1 then coalesce(r.previous_started_at, case when j.least_previous < j.started_at then j.least_previous end)
        else lag(j.started_at) over (partition by j.visitor_id, j.touchpoint_id, j.organization_id order by j.number) end,
      j.page_views, j.tracks, j.events, j.first_path, j.referrer_host, j.language, j.country, j.width, null
    from joined j
    left join reaching r on j.number = 1 and r.organization_id = j.organization_id and r.touchpoint_id = j.touchpoint_id
      and r.visitor_id = j.visitor_id
  ), changes as materialized (
    -- -1 for a session as it is stored, and where that is, +1 for one as it should be; without those that stay the same.
    select sum(c.sign)::integer as sign, c.organization_id, c.touchpoint_id, c.visitor_id, c.started_at, c.ended_at,
      c.previous_started_at, c.page_views, c.tracks, c.events, c.first_path, c.referrer_host, c.language, c.country, c.width,
      min(c.place) as place
    from compared c
    group by 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    having sum(c.sign) <> 0
  ), replaced as (
    insert into public.replaced_visitor_events (organization_id, touchpoint_id, id)
    select e.organization_id, e.touchpoint_id, e.id from events e where e.client_at is not null
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
  ), days as (
    insert into public.visitor_days as d (organization_id, touchpoint_id, day, previous_day, sessions)
    select c.organization_id, c.touchpoint_id, public.utc_day(c.started_at),
      coalesce(public.utc_day(c.previous_started_at), '-infinity'), sum(c.sign)
    from changes c
    group by 1, 2, 3, 4
    having sum(c.sign) <> 0
    on conflict (organization_id, touchpoint_id, day, previous_day) do update set sessions = d.sessions + excluded.sessions
  ), value_months as (
    insert into public.visitor_value_months as m
      (organization_id, touchpoint_id, dimension, month, is_other, value, running_counts, running_sessions)
    select a.organization_id, a.touchpoint_id, a.dimension, public.utc_month(a.day), false, a.value,
      public.to_running_counts(array_agg(a.day - public.utc_month(a.day)), array_agg(a.count), 31),
      public.to_running_counts(array_agg(a.day - public.utc_month(a.day)), array_agg(a.sessions), 31)
    from (
      select v.organization_id, v.touchpoint_id, v.day, v.dimension, v.value, sum(v.count)::integer as count,
        sum(v.sessions)::integer as sessions
      from (
        select e.organization_id, e.touchpoint_id, public.utc_day(e.at) as day, d.dimension, d.value, 1 as count, 0 as sessions
        from events e
        cross join lateral public.visitor_dimensions(e.type, e.url, e.path, e.referrer_host, e.country, e.language, e.width, e.name) d
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
      ) v
      group by 1, 2, 3, 4, 5
      having sum(v.count) <> 0 or sum(v.sessions) <> 0
    ) a
    group by 1, 2, 3, 4, 6
    on conflict (organization_id, touchpoint_id, dimension, month, is_other, value) do update set
      running_counts = public.add_running_counts(m.running_counts, excluded.running_counts),
      running_sessions = public.add_running_counts(m.running_sessions, excluded.running_sessions)
    -- Only inserted rows have no xmax.
    returning m.organization_id, m.touchpoint_id, m.dimension, m.month, m.xmax = 0 as is_new,
      m.running_sessions[31] < 0 as is_negative
  )
  -- In place of is_other, whether one of the values is negative.
  select array(
    select row(m.organization_id, m.touchpoint_id, m.dimension, m.month, bool_or(m.is_negative), '', null,
      null)::public.visitor_value_months
    from value_months m where m.is_new or m.is_negative
    group by m.organization_id, m.touchpoint_id, m.dimension, m.month
  ), array(
    select row(e.organization_id, e.touchpoint_id, e.touchpoint_id, 'event', e.type, date_bin('15 minutes', e.at, 'epoch'), count(*),
      null)::public.count_delta
    from events e
    where not e.is_bot
    group by e.organization_id, e.touchpoint_id, e.type, date_bin('15 minutes', e.at, 'epoch')
    union all
    select row(c.organization_id, c.touchpoint_id, c.touchpoint_id, 'session', t.type, date_bin('15 minutes', c.started_at, 'epoch'),
      sum(c.sign), null)::public.count_delta
    from changes c
    cross join lateral public.session_types(c.page_views, c.tracks, c.events) t
    group by c.organization_id, c.touchpoint_id, t.type, date_bin('15 minutes', c.started_at, 'epoch')
  ) into grown, deltas;
  perform public.add_to_counts(deltas);

  foreach place in array grown loop
    perform public.bound_visitor_month(place.organization_id, place.touchpoint_id, place.dimension, place.month, place.is_other);
  end loop;
  perform set_config('enable_nestloop', 'on', true);
  notifiers := array(select e.notifier_touchpoint_id from public.touchpoint_events e
    where e.is_active and e.event_type in ('VIEW_PAGE', 'TRACK', 'IDENTIFY') and e.organization_id in (
      select u.organization_id from public.unfolded_visitor_events u where u.ctid = any (fresh)));
  if cardinality(notifiers) > 0 then
    perform public.add_reactions(array(select c from public.visitor_causes(fresh, notifiers) c));
  end if;
  delete from public.unfolded_visitor_events u where u.ctid = any (taken);
  delete from public.replaced_visitor_events r where r.ctid = any (array(
    select o.ctid from public.replaced_visitor_events o where o.created_at < now() - interval '30 days' limit max_rows));
  perform set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'auto', true);
  if not is_partial and cardinality(taken) < max_rows then
    perform public.note_folded('visitor');
  end if;
  return cardinality(taken);
end
$$;
grant execute on function fold_visitor_events(integer, uuid) to reachout_app;
