-- What opens, clicks, visits and conversions add up to: one table for everything that is counted by day.
create table counts (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- What the counts belong to: of an email a send; of a website the website itself, or a goal.
  subject_id uuid not null,
  -- What is counted: a type of events of messages, `event`, `session`, `conversion`.
  dimension text not null,
  -- Which of it: of events of messages `unique` (messages by their first event by a person), `human` and `bot`.
  value text not null,
  -- In UTC; `-infinity` is all time.
  day date not null,
  -- How many from the start of the day to the end of each quarter of an hour; of all time one number. The days of a time zone
  -- begin with a quarter of an hour, so their part of this day is the difference of two. 64 bits: one address replayed for days
  -- must not make a batch fail.
  running_counts bigint[] not null,
  -- Likewise what they are worth; null for what has no worth.
  running_amounts numeric[],
  primary key (organization_id, touchpoint_id, day, dimension, value, subject_id)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 60);
-- The dashboard adds up a quarter of a year of all emails.
create index counts_by_day on counts (organization_id, value, dimension, day);
create index counts_of_subject on counts (organization_id, subject_id);

-- By how much something changes the counts of a subject: what `add_to_counts` takes.
create type count_delta as (organization_id uuid, touchpoint_id uuid, subject_id uuid, dimension text, value text, at timestamptz,
  number bigint, amount numeric);

insert into counts (organization_id, touchpoint_id, subject_id, dimension, value, day, running_counts)
select s.organization_id, s.touchpoint_id, s.send_id, s.type, v.value, '-infinity', array[v.number]
from delivery_event_sums s
cross join lateral (values ('unique', s.unique_count), ('human', s.human_count), ('bot', s.bot_count)) v (value, number)
where v.number > 0;

insert into counts (organization_id, touchpoint_id, subject_id, dimension, value, day, running_counts)
select d.organization_id, d.touchpoint_id, d.send_id, d.type, d.value, d.day, array(
  select coalesce((select sum(q.number) from unnest(d.quarters, d.numbers) q (quarter, number) where q.quarter <= place), 0)::bigint
  from generate_series(0, 95) place order by place)
from (
  select t.organization_id, t.touchpoint_id, t.send_id, t.type, v.value, (t.at at time zone 'UTC')::date as day,
    array_agg(extract(epoch from t.at)::bigint % 86400 / 900) as quarters, array_agg(v.number) as numbers
  from delivery_event_totals t
  cross join lateral (values ('unique', t.unique_count), ('human', t.human_count), ('bot', t.bot_count)) v (value, number)
  where v.number > 0
  group by 1, 2, 3, 4, 5, 6
) d;

drop table delivery_event_totals, delivery_event_sums, delivery_event_days cascade;

-- Until when everything that was appended is folded.
create table event_folds (
  subject text primary key,
  folded_until timestamptz not null
);
insert into event_folds (subject, folded_until) values ('message', now()), ('visitor', now());
