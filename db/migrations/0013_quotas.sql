-- What an organization may have; null for the numbers that all have. Only the operator changes them.
alter table organizations
  add column contact_limit integer check (contact_limit >= 0),
  add column template_limit integer check (template_limit >= 0),
  add column daily_import_limit integer check (daily_import_limit >= 0),
  add column image_limit integer check (image_limit >= 0);

-- Kept by the statements that insert and delete items: counting a million of them takes too long.
alter table content_collections add column items_count bigint not null default 0;
update content_collections c set items_count = (
  select count(*) from content_items i where i.organization_id = c.organization_id and i.collection = c.collection
);
