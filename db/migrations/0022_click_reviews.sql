-- Messages of which a person followed links more than once, until these clicks are looked at again. One click costs no row.
create table click_reviews (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  send_id uuid not null,
  seq integer not null,
  -- Of the first click by a person.
  first_at timestamptz not null,
  primary key (organization_id, send_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
-- The oldest are looked at first.
create index on click_reviews (first_at);

-- By which rule a click of a person became one of a bot; null for all other events.
alter table events add column moved_by text check (moved_by in ('all_links', 'before_open'));
