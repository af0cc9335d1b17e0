-- Messages by the first event of each type by a person: a row for each send, type and day in UTC. The dashboard adds up a
-- quarter of a year of all emails, and reads these instead of the quarters of an hour, of which there are forty times as
-- many. Changes with `delivery_event_totals`, in the same statement.
create table delivery_event_days (
  organization_id uuid not null,
  day date not null,
  send_id uuid not null,
  type text not null,
  -- How many messages from the start of the day to the end of each quarter of an hour. The days of a time zone begin with
  -- one, so their part of this day is the difference of two.
  running_counts integer[] not null,
  primary key (organization_id, day, send_id, type)
-- Room for new versions of a row beside the old one, since no index has the column that changes.
) with (fillfactor = 70);
create index on delivery_event_days (organization_id, send_id);

insert into delivery_event_days (organization_id, day, send_id, type, running_counts)
  select organization_id, day, send_id, type, array_agg(running_count order by quarter)
  from (
    select d.organization_id, d.day, d.send_id, d.type, q.quarter,
      sum(coalesce(t.unique_count, 0)) over (
        partition by d.organization_id, d.day, d.send_id, d.type order by q.quarter)::integer as running_count
    from (
      select distinct organization_id, (at at time zone 'UTC')::date as day, send_id, type
      from delivery_event_totals
      where unique_count > 0 and type <> 'BOUNCE'
    ) d
    cross join generate_series(0, 95) q(quarter)
    left join (
      select organization_id, send_id, type, at, sum(unique_count) as unique_count
      from delivery_event_totals
      group by 1, 2, 3, 4
    ) t on t.organization_id = d.organization_id and t.send_id = d.send_id and t.type = d.type
      and t.at = d.day::timestamp at time zone 'UTC' + q.quarter * interval '15 minutes'
  ) running
  group by organization_id, day, send_id, type;

-- It was there for the dashboard alone.
drop index delivery_event_totals_organization_id_at_idx;
