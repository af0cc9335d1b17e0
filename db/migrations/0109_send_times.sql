-- When the messages of a send start, beside the date of its schedule. `delivery_chunks.not_before` has the outcome.
alter table touchpoint_schedules
  -- The local time of the schedule in the zone of each contact; without a valid one, in that of the schedule.
  add column contact_time_zones boolean not null default false,
  -- The messages are spread evenly over so many minutes.
  add column spread_minutes integer check (spread_minutes between 1 and 10080),
  -- Messages start only within these hours of each day, which end on the next one if the end is earlier.
  add column window_start time,
  add column window_end time,
  add constraint touchpoint_schedules_window_check check (
    (window_start is null) = (window_end is null) and (window_start is null or window_start <> window_end));

alter table brands
  -- Of the quiet hours of sends without a schedule; IANA name, null: UTC.
  add column time_zone text check (char_length(time_zone) between 1 and 64),
  -- No message starts within these hours.
  add column quiet_hours_start time,
  add column quiet_hours_end time,
  add constraint brands_quiet_hours_check check (
    (quiet_hours_start is null) = (quiet_hours_end is null) and (quiet_hours_start is null or quiet_hours_start <> quiet_hours_end));
