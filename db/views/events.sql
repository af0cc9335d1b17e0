-- Opens, clicks, bounces and unsubscribes of messages: what is stored, and what waits to be folded. Rows of the same key
-- are added up by who reads: there are at most two.

-- `first_human_at` is set in one of the rows of a key if a person caused any of its events.
create view current_event_counts with (security_invoker = true) as
  select organization_id, touchpoint_id, send_id, type, seq, link_no, human_count, bot_count, first_human_at
  from delivery_event_counts
  union all
  select * from unfolded_event_counts(9223372036854775807);

create view current_event_totals with (security_invoker = true) as
  select organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, bot_count from delivery_event_totals
  union all
  select * from unfolded_event_totals(9223372036854775807);

create view current_event_sums with (security_invoker = true) as
  select organization_id, touchpoint_id, send_id, type, unique_count, human_count, bot_count from delivery_event_sums
  union all
  select organization_id, touchpoint_id, send_id, type, sum(unique_count)::bigint, sum(human_count)::bigint, sum(bot_count)::bigint
  from unfolded_event_totals(9223372036854775807)
  group by 1, 2, 3, 4;

create view current_event_days with (security_invoker = true) as
  select organization_id, day, send_id, type, running_counts from delivery_event_days
  union all
  select organization_id, (at at time zone 'UTC')::date, send_id, type, to_running_counts(
    array_agg(extract(epoch from at)::bigint % 86400 / 900)::integer[], array_agg(unique_count)::integer[])
  from unfolded_event_totals(9223372036854775807)
  where unique_count > 0
  group by 1, 2, 3, 4;

create view current_events with (security_invoker = true) as
  select organization_id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, id, user_agent, ip_prefix, country
  from events
  union all
  select * from unfolded_first_events(9223372036854775807);
