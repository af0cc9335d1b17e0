-- Events of each send by type, over all time: lists order and show records by these, and so does not add up quarters of an
-- hour. Changes with `delivery_event_totals`, in the same statement.
create table delivery_event_sums (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  type text not null,
  -- Messages with at least one event by a person.
  unique_count bigint not null,
  human_count bigint not null,
  bot_count bigint not null,
  primary key (organization_id, touchpoint_id, send_id, type)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 70);
create index on delivery_event_sums (organization_id, send_id);

insert into delivery_event_sums (organization_id, touchpoint_id, send_id, type, unique_count, human_count, bot_count)
  select organization_id, touchpoint_id, send_id, type, sum(unique_count), sum(human_count), sum(bot_count)
  from delivery_event_totals
  group by organization_id, touchpoint_id, send_id, type;
