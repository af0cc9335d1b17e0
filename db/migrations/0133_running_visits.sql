-- Events and sessions of websites by day in UTC, in place of a row for each quarter of an hour and name.
create table visitor_count_days (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  subject text not null check (subject in ('event', 'session')),
  day date not null,
  -- Of sessions, those with at least one such event; empty for all sessions.
  type text not null,
  -- How many from the start of the day to the end of each quarter of an hour; of a session, its start counts. Without bots.
  running_counts integer[] not null,
  primary key (organization_id, touchpoint_id, subject, day, type)
-- Room for new versions of a row beside the old one, since no index has the column that changes.
) with (fillfactor = 60);

insert into visitor_count_days (organization_id, touchpoint_id, subject, day, type, running_counts)
  with quarters as materialized (
    select organization_id, touchpoint_id, 'event' as subject, at, type, count
    from visitor_event_totals
    union all
    select t.organization_id, t.touchpoint_id, 'session', t.at, k.type, k.count
    from visitor_session_totals t
    cross join lateral (values ('', t.sessions), ('VIEW_PAGE', t.with_page_views), ('TRACK', t.with_tracks),
      ('IDENTIFY', t.with_identifies)) k (type, count)
  ), days as (
    select organization_id, touchpoint_id, subject, (at at time zone 'UTC')::date as day, type
    from quarters
    where count <> 0
    group by 1, 2, 3, 4, 5
  )
  select organization_id, touchpoint_id, subject, day, type, array_agg(running_count order by quarter)
  from (
    select d.*, q.quarter, sum(coalesce(sum(t.count), 0)) over (
      partition by d.organization_id, d.touchpoint_id, d.subject, d.day, d.type order by q.quarter)::integer as running_count
    from days d
    cross join generate_series(0, 95) q(quarter)
    left join quarters t on t.organization_id = d.organization_id and t.touchpoint_id = d.touchpoint_id
      and t.subject = d.subject and t.type = d.type and t.at = d.day::timestamp at time zone 'UTC' + q.quarter * interval '15 minutes'
    group by d.organization_id, d.touchpoint_id, d.subject, d.day, d.type, q.quarter
  ) running
  group by 1, 2, 3, 4, 5;

-- Page views, events and sessions by what they have in common: a row for a month, of which the statistics of a year read few.
create table visitor_value_months (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  dimension text not null check (dimension in ('path', 'referrer', 'country', 'language', 'screen', 'event')),
  -- The first day.
  month date not null,
  -- All values that are not among the most frequent ones, together. A value alone could be forged.
  is_other boolean not null,
  -- Empty for none.
  value text not null,
  -- Page views from the start of the month to the end of each day in UTC; of the dimension `event`, events. Without bots.
  running_counts integer[] not null,
  -- Sessions by the day of their start and the value of their first event; none of `path` and `event`.
  running_sessions integer[] not null,
  primary key (organization_id, touchpoint_id, dimension, month, is_other, value)
) with (fillfactor = 60);

insert into visitor_value_months
    (organization_id, touchpoint_id, dimension, month, is_other, value, running_counts, running_sessions)
  select organization_id, touchpoint_id, dimension, month, is_other, value, array_agg(running_count order by place),
    array_agg(running_session order by place)
  from (
    select m.*, p.place, sum(coalesce(t.count, 0)) over running::integer as running_count,
      sum(coalesce(t.sessions, 0)) over running::integer as running_session
    from (
      select distinct organization_id, touchpoint_id, dimension, date_trunc('month', day)::date as month, is_other, value
      from visitor_day_totals
    ) m
    cross join generate_series(0, 30) p(place)
    -- The 31st day of a month that has fewer is one of the next.
    left join visitor_day_totals t on t.organization_id = m.organization_id and t.touchpoint_id = m.touchpoint_id
      and t.dimension = m.dimension and t.day = m.month + p.place and date_trunc('month', t.day)::date = m.month
      and t.is_other = m.is_other and t.value = m.value
    window running as (partition by m.organization_id, m.touchpoint_id, m.dimension, m.month, m.is_other, m.value
      order by p.place)
  ) running
  group by 1, 2, 3, 4, 5, 6;

drop table visitor_event_totals, visitor_session_totals, visitor_day_totals;
