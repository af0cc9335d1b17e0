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

-- What conversions add up to: `all` of them with their values, and those that are `attributed` to a message.
create view conversion_counts with (security_invoker = true) as
  select c.*
  from counts c
  where c.dimension = 'conversion'
    and exists (select from conversion_goals g where g.organization_id = c.organization_id and g.id = c.subject_id);
