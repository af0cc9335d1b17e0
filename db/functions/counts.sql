-- Running counts are cumulative: of a day 96, each up to the end of a quarter of an hour; of a month 31, each up to the end of a
-- day. Storing an event waits for these functions.

-- Converts counts by place, from 0, to running counts. Takes at least one count, in any order.
create function to_running_counts(places integer[], counts anyarray, length integer default 96)
  returns anyarray
  language plpgsql immutable strict parallel safe
as $$
declare
  running counts%type := array_fill(counts[1] - counts[1], array[length]);
begin
  for i in 1 .. cardinality(places) loop
    running[places[i] + 1] := running[places[i] + 1] + counts[i];
  end loop;
  for place in 2 .. length loop
    running[place] := running[place] + running[place - 1];
  end loop;
  return running;
end
$$;

create function add_running_counts(running anyarray, added anyarray)
  returns anyarray
  language plpgsql immutable strict parallel safe
as $$
begin
  for place in 1 .. cardinality(running) loop
    running[place] := running[place] + added[place];
  end loop;
  return running;
end
$$;

-- The count from one place until another, as far as these are among the running counts.
create function counts_between(running anyarray, first integer, until integer)
  returns anyelement
  language sql immutable parallel safe
as $$
  select coalesce(running[least(until, cardinality(running))], 0) - coalesce(running[least(first, cardinality(running))], 0)
$$;

create function utc_day(at timestamptz)
  returns date
  language sql immutable parallel safe
  return (at at time zone 'UTC')::date;

-- Quarters of an hour of a day in UTC, from 0. Offsets of time zones are multiples of these.
create function utc_quarter(at timestamptz)
  returns integer
  language sql immutable parallel safe
  return floor(date_part('epoch', at) / 900)::bigint % 96;

-- Adds numbers to `counts`, of all organizations that the caller may write: to those of their days, and to those of all time. The
-- last step of whatever counts something. Rows are locked in the order of their keys: callers may run side by side.
-- owner: events
create function add_to_counts(deltas count_delta[])
  returns void
  language sql
as $$
  insert into public.counts as c
    (organization_id, touchpoint_id, subject_id, dimension, value, day, running_counts, running_amounts)
  select a.organization_id, a.touchpoint_id, a.subject_id, a.dimension, a.value, p.day,
    public.to_running_counts(array_agg(p.place), array_agg(a.number), p.places),
    public.to_running_counts(array_agg(p.place) filter (where a.amount is not null),
      array_agg(a.amount) filter (where a.amount is not null), p.places)
  from (
    select d.organization_id, d.touchpoint_id, d.subject_id, d.dimension, d.value, public.utc_day(d.at) as day,
      public.utc_quarter(d.at) as quarter, sum(d.number)::bigint as number, sum(d.amount) as amount
    from unnest(deltas) d
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(d.number) <> 0 or sum(d.amount) <> 0
  ) a
  cross join lateral (values (a.day, a.quarter, 96), ('-infinity', 0, 1)) p (day, place, places)
  group by 1, 2, 3, 4, 5, 6, p.places
  order by 1, 2, 3, 4, 5, 6
  on conflict (organization_id, touchpoint_id, day, dimension, value, subject_id) do update set
    running_counts = public.add_running_counts(c.running_counts, excluded.running_counts),
    running_amounts = coalesce(public.add_running_counts(c.running_amounts, excluded.running_amounts), c.running_amounts,
      excluded.running_amounts)
$$;

grant execute on function to_running_counts(integer[], anyarray, integer), add_running_counts(anyarray, anyarray),
  counts_between(anyarray, integer, integer), utc_day(timestamptz), utc_quarter(timestamptz), add_to_counts(count_delta[])
  to reachout_app;
