-- What counts as a conversion: docs/statistics.md, "Conversions".
-- Conversions whose goal was not removed.
create view current_conversions with (security_invoker = true) as
  select c.*
  from conversions c
  where exists (select from conversion_goals g where g.organization_id = c.organization_id and g.id = c.goal_id);

-- The conversions of each message that has any. Its first one decides in which period the message counts.
create view converted_messages with (security_invoker = true) as
  select organization_id, email_touchpoint_id as touchpoint_id, send_id, seq, min(at) as first_at, count(*) as conversions,
    coalesce(sum(value), 0) as value
  from current_conversions
  where send_id is not null
  group by 1, 2, 3, 4;

-- What the conversions of each day in UTC add up to, also those that are not folded yet: two rows for a goal and day at most.
create view current_conversion_days with (security_invoker = true) as
  select d.*
  from (
    select organization_id, touchpoint_id, goal_id, day, running_counts, running_values, running_attributed
    from conversion_days
    union all
    select organization_id, touchpoint_id, goal_id, utc_day(at),
      to_running_counts(array_agg(utc_quarter(at)), array_agg(count)),
      to_running_counts(array_agg(utc_quarter(at)), array_agg(value)),
      to_running_counts(array_agg(utc_quarter(at)), array_agg(attributed))
    from conversion_changes
    group by 1, 2, 3, 4
  ) d
  where exists (select from conversion_goals g where g.organization_id = d.organization_id and g.id = d.goal_id);
