-- Results for each quarter of an hour, state and class: what went out in a month or a year does not read single results.
create table delivery_result_totals (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  -- The start of the quarter, as in delivery_event_totals.
  at timestamptz not null,
  send_id uuid not null,
  -- 'sent' counts what was accepted then; another state what ended in it then, a message that bounced after it was
  -- accepted in both.
  state text not null,
  -- Of a rejection; empty where there was none.
  class text not null,
  count bigint not null,
  primary key (organization_id, touchpoint_id, at, send_id, state, class)
);
create index on delivery_result_totals (organization_id, send_id);

insert into delivery_result_totals (organization_id, touchpoint_id, at, send_id, state, class, count)
  select r.organization_id, s.touchpoint_id, date_bin('15 minutes', e.at, 'epoch'), r.send_id, e.state, e.class, count(*)
  from delivery_results r
  join touchpoint_sends s on s.organization_id = r.organization_id and s.id = r.send_id
  cross join lateral (
    values (r.accepted_at, 'sent', ''), (case when r.state <> 'sent' then r.at end, r.state, coalesce(r.class, ''))
  ) e(at, state, class)
  where e.at is not null and not exists (
    select from delivery_chunks c
    where c.organization_id = r.organization_id and c.send_id = r.send_id and not c.done and r.seq between c.first_seq and c.last_seq
  )
  group by 1, 2, 3, 4, 5, 6;
