-- The times with which a content item was added to the queue of its email, as {start_date, time_zone, rrule}: `start_date` of the
-- schedule is one of them, unless it was moved. Null: it was not added to a queue.
alter table touchpoint_schedules add column slots jsonb;
