-- How an address came to be suppressed where no send tells it: who entered it, which import, and what was said.
alter table suppressions
  add column created_by uuid references users (id) on delete set null,
  add column import_id uuid,
  add column note text;
-- To find what names an account that is deleted.
create index on suppressions (created_by) where created_by is not null;

-- Suppressions that a person has lifted, each with the basis for writing to the address again. Rows are never changed.
create table resubscriptions (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Of the suppression, like the next three.
  brand_id uuid,
  address_key text not null,
  reason text not null check (reason in ('bounce', 'complaint', 'unsubscribe', 'manual')),
  send_id uuid,
  -- Null where only the contact said that it is unsubscribed.
  suppressed_at timestamptz,
  basis text not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
create index on resubscriptions (organization_id, address_key, created_at desc);
create index on resubscriptions (created_by) where created_by is not null;
