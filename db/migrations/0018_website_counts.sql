-- What events and sessions of websites and conversions add up to are rows of `counts`, too.
with days as (
  select organization_id, touchpoint_id, touchpoint_id as subject_id, subject as dimension, type as value, day,
    running_counts::bigint[] as running_counts, null::numeric[] as running_amounts
  from visitor_count_days
  union all
  select d.organization_id, d.touchpoint_id, d.goal_id, 'conversion', v.value, d.day, v.running_counts::bigint[], v.running_amounts
  from conversion_days d
  cross join lateral (
    values ('all', d.running_counts, d.running_values), ('attributed', d.running_attributed, null)
  ) v (value, running_counts, running_amounts)
)
insert into counts
  (organization_id, touchpoint_id, subject_id, dimension, value, day, running_counts, running_amounts)
select * from days
union all
select organization_id, touchpoint_id, subject_id, dimension, value, '-infinity', array[sum(running_counts[96])::bigint],
  case when value = 'all' then array[sum(running_amounts[96])] end
from days
group by 1, 2, 3, 4, 5;

drop table visitor_count_days, conversion_days;
