-- Current counts of all delivery results by quarter hour: the stored totals, and the results of chunks not yet added to
-- them.
create view counted_results with (security_invoker = true) as
  select organization_id, touchpoint_id, send_id, at, state, class, count, not_measured from delivery_result_totals
  union all
  select c.organization_id, s.touchpoint_id, c.send_id, r.at, r.state, r.class, r.count, r.not_measured
  from touchpoint_sends s
  join delivery_chunks c on c.organization_id = s.organization_id and c.send_id = s.id and c.lease_token > 0 and not c.counted
  cross join lateral sum_results(c.organization_id, c.send_id, c.first_seq, c.last_seq) r;
