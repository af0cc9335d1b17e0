-- Messages a day in the name of a sender domain that nobody knows yet (docs/sending.md). Only the operator writes plans; the
-- workers count what they take.
create table warm_up_plans (
  -- In lower case.
  domain text primary key,
  -- Messages on the first day, by UTC; each day so many times those of the day before.
  first_limit integer not null check (first_limit >= 1),
  growth numeric(3, 2) not null check (growth between 1.01 and 3),
  -- The plan is over on the day on which it would allow more.
  last_limit integer not null check (last_limit >= first_limit),
  first_day date not null default (now() at time zone 'UTC')::date,
  -- What was taken on that day.
  counted_day date not null default (now() at time zone 'UTC')::date,
  counted integer not null default 0 check (counted >= 0)
);
