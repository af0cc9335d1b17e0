-- What a website has taken on its latest day: a process adds what it took each second (db/functions/visitors.sql).
create table website_use (
  organization_id uuid not null,
  touchpoint_id uuid not null,
  -- In UTC.
  day date not null,
  events bigint not null,
  bytes bigint not null,
  primary key (organization_id, touchpoint_id)
-- Room for new versions of a row beside the old one, since no index has the columns that change.
) with (fillfactor = 60);
-- Of each website and day; null for those of all organizations.
alter table organizations
  add column website_event_limit integer check (website_event_limit >= 0),
  add column website_megabyte_limit integer check (website_megabyte_limit >= 0);
