-- How much the items of an organization may hold; null for what all may. Only the operator changes it.
alter table organizations add column content_megabyte_limit integer check (content_megabyte_limit >= 0);

-- Length of the items as JSON text. Kept by a trigger, because many statements change items.
alter table content_collections add column items_bytes bigint not null default 0;
update content_collections c set items_bytes = coalesce((
  select sum(octet_length(data::text)) from content_items i
  where i.organization_id = c.organization_id and i.collection = c.collection
), 0);
