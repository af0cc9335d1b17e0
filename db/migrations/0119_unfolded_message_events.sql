-- Opens and clicks that were acknowledged and are not folded yet: into events, counts, totals, sums and days. Without
-- foreign keys, which would be checked for each row.
create table unfolded_message_events (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  -- The order of storing: it decides which event is the first.
  position bigint generated always as identity,
  seq integer not null,
  -- OPEN_EMAIL or CLICK.
  type text not null,
  at timestamptz not null,
  -- Null except for clicks.
  link_no integer,
  is_bot boolean not null,
  -- Instead of is_bot: a person's if no person has opened the message before, else a bot's.
  is_first_only boolean not null,
  id uuid not null,
  user_agent text,
  ip_prefix text,
  primary key (organization_id, touchpoint_id, send_id, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- The oldest are folded first.
create index on unfolded_message_events (position);
