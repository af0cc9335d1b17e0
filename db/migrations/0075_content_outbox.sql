-- Records whose copies in the content backend are not up to date: what changed here, until it is written there. A record has at
-- most one row.
create table content_outbox (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null check (collection in
    ('reachout_clients', 'reachout_brands', 'reachout_campaigns', 'reachout_touchpoints', 'reachout_templates')),
  id uuid not null,
  -- Grows with each change, so that what changes while its copy is written is written again.
  version integer not null default 1,
  -- It was deleted or restored: with it, all records below it disappear or come back.
  with_children boolean not null default false,
  -- Failed: not tried again until the record changes, or a person asks for it.
  state text not null default 'waiting' check (state in ('waiting', 'failed')),
  -- Those that failed since the last change.
  attempts smallint not null default 0,
  error_content text check (char_length(error_content) <= 500),
  changed_at timestamptz not null default now(),
  tried_at timestamptz,
  primary key (organization_id, collection, id)
);
create index on content_outbox (changed_at) where state = 'waiting';

-- The views of these tables take it from the row above.
alter table brands drop column error_content;
alter table campaigns drop column error_content;
alter table touchpoints drop column error_content;
