-- Collections that were deleted. What they held is erased little by little, and until nothing is left of it nobody can take their
-- name, under which it would come back.
create table deleted_collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, collection)
);
create index on deleted_collections (created_at);
