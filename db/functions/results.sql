-- Counts the delivery results of a send by quarter hour, state and class. Each message counts once, in its current state, at
-- the time when it entered that state; those that a mail server took count as `accepted` as well, when it did. PostgreSQL inlines
-- the function if none of its arguments is a subquery.
create function sum_results(of_organization uuid, of_send uuid, from_seq integer, to_seq integer)
  returns table (at timestamptz, state text, class text, count bigint, not_measured bigint)
  language sql stable
as $$
  select k.at, k.state, k.class, sum(g.count)::bigint, sum(k.not_measured)::bigint
  from (
    select date_bin('15 minutes', r.at, 'epoch') as at, date_bin('15 minutes', r.accepted_at, 'epoch') as accepted_at, r.state,
      coalesce(r.class, '') as class, count(*) as count, count(*) filter (where r.state = 'sent' and not r.tracked) as not_measured
    from public.delivery_results r
    where r.organization_id = of_organization and r.send_id = of_send and r.seq between from_seq and to_seq
    group by 1, 2, 3, 4
  ) g
  cross join lateral (values (g.at, g.state, g.class, g.not_measured), (g.accepted_at, 'accepted', '', 0))
    k (at, state, class, not_measured)
  where k.at is not null
  group by 1, 2, 3
$$;
grant execute on function sum_results(uuid, uuid, integer, integer) to reachout_app;
