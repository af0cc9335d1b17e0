-- Results of messages of a send, summed up by quarter of an hour, state and class: acceptance, and how a message ended
-- otherwise. PostgreSQL puts it into the statement that uses it, where its arguments are no subqueries. Rows are grouped
-- before they are told apart, because nearly all are alike.
create function sum_results(of_organization uuid, of_send uuid, from_seq integer, to_seq integer)
  returns table (at timestamptz, state text, class text, count bigint)
  language sql stable
as $$
  select e.at, e.state, e.class, sum(r.count)::bigint
  from (
    select date_bin('15 minutes', r.accepted_at, 'epoch') as accepted,
      case when r.state <> 'sent' then date_bin('15 minutes', r.at, 'epoch') end as ended, r.state, r.class, count(*) as count
    from public.delivery_results r
    where r.organization_id = of_organization and r.send_id = of_send and r.seq between from_seq and to_seq
    group by 1, 2, 3, 4
  ) r
  cross join lateral (values (r.accepted, 'sent', ''), (r.ended, r.state, coalesce(r.class, ''))) e(at, state, class)
  where e.at is not null
  group by 1, 2, 3
$$;
grant execute on function sum_results(uuid, uuid, integer, integer) to reachout_app;
