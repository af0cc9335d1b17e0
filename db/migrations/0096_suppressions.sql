-- When an imported opt-out was recorded elsewhere. `created_at` stays the time of the import, because running sends look
-- for suppressions by it.
alter table suppressions add column occurred_at timestamptz;
-- For lists and lifts in order of entry; running sends look for new ones by its beginning.
create index on suppressions (organization_id, created_at, id);
drop index suppressions_organization_id_created_at_idx;
-- The addresses that a send has suppressed.
create index on suppressions (organization_id, send_id, created_at) where send_id is not null;

-- Suppressions that were lifted together: who decided it, by which criteria, and how far it has come.
create table suppression_lifts (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Null for every reason that can be lifted.
  reason text check (reason in ('bounce', 'manual')),
  -- The send that caused them; null for any.
  send_id uuid,
  from_at timestamptz,
  to_at timestamptz,
  -- The brands whose suppressions are lifted; null for those of all brands, and for suppressions of the whole organization.
  brand_ids uuid[],
  basis text not null,
  -- Counted when it was confirmed. Those that became opt-outs before their turn are not lifted.
  total_count integer not null,
  lifted_count integer not null default 0,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id)
);
create index on suppression_lifts (organization_id, created_at desc);
create index on suppression_lifts (created_by) where created_by is not null;
