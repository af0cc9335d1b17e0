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
