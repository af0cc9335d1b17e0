-- Counts the delivery results of a send by quarter hour, state and class. Each message counts once, in its current state, at
-- the time when it entered that state. PostgreSQL inlines the function if none of its arguments is a subquery.
create function sum_results(of_organization uuid, of_send uuid, from_seq integer, to_seq integer)
  returns table (at timestamptz, state text, class text, count bigint, not_measured bigint)
  language sql stable
as $$
  select date_bin('15 minutes', r.at, 'epoch'), r.state, coalesce(r.class, ''), count(*),
    count(*) filter (where r.state = 'sent' and not r.tracked)
  from public.delivery_results r
  where r.organization_id = of_organization and r.send_id = of_send and r.seq between from_seq and to_seq
  group by 1, 2, 3
$$;
grant execute on function sum_results(uuid, uuid, integer, integer) to reachout_app;
