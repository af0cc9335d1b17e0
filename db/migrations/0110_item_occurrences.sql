-- A touchpoint is sent once with an item at a planned time, whichever schedule plans it. An occurrence that failed, or was cancelled
-- before it had recipients, can be planned again.
drop index touchpoint_sends_one_occurrence;
create unique index touchpoint_sends_one_occurrence on touchpoint_sends (organization_id, touchpoint_id, coalesce(item_id, ''), occurrence_at)
  where occurrence_at is not null and status <> 'failed' and (status <> 'cancelled' or recipients_total_count > 0);

-- Each send says who confirmed it.
alter table touchpoint_schedules drop column user_created;
