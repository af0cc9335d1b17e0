-- What the events of a touchpoint are about, and how often since a time: the links of the last emails that were sent, by the messages in
-- which people followed them, those without clicks too; the paths of pages, or the names of events of a website, by days.
-- Null: values that are no longer counted apart.
create function event_values(of_organization uuid, of_touchpoint uuid, type text, since timestamptz)
  returns table (value text, count bigint)
  language plpgsql stable
as $$
begin
  if type <> 'CLICK' then
    return query
    select case when m.is_other then null when type = 'TRACK' then m.value else substr(m.value, strpos(m.value, '/')) end,
      sum(counts_between(m.running_counts, greatest(utc_day(since) - m.month, 0), 31))::bigint
    from visitor_value_months m
    where m.organization_id = of_organization and m.touchpoint_id = of_touchpoint
      and m.dimension = case type when 'TRACK' then 'event' else 'path' end and m.month >= utc_month(utc_day(since))
    group by 1;
    return;
  end if;
  return query
  with link as (
    select c.send_id, (l.number - 1)::integer as link_no, l.link ->> 'url' as url
    from (
      select s.id from touchpoint_sends s
      where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint and s.kind <> 'test'
      order by s.created_at desc limit 100
    ) s
    join touchpoint_send_contents c on c.organization_id = of_organization and c.send_id = s.id
    cross join lateral jsonb_array_elements(c.content -> 'links') with ordinality l (link, number)
  ), followed as (
    select c.send_id, c.link_no, count(*) as count
    from delivery_event_counts c
    where c.organization_id = of_organization and c.type = 'CLICK' and c.link_no >= 0 and c.first_human_at >= since
      and c.send_id = any (array(select l.send_id from link l))
    group by 1, 2
  )
  select l.url, coalesce(sum(f.count), 0)::bigint
  from link l
  left join followed f on f.send_id = l.send_id and f.link_no = l.link_no
  group by 1;
end
$$;
grant execute on function event_values(uuid, uuid, text, timestamptz) to reachout_app;
