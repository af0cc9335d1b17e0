-- The bytes of the items of each collection.

-- Adds what a statement inserted, and subtracts what it deleted; a changed item is both.
-- owner: content/built-in
create function count_item_bytes()
  returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    update public.content_collections c set items_bytes = c.items_bytes + written.bytes
    from (
      select organization_id, collection, sum(octet_length(data::text)) as bytes from new_items group by 1, 2
    ) written
    where c.organization_id = written.organization_id and c.collection = written.collection;
  elsif tg_op = 'DELETE' then
    update public.content_collections c set items_bytes = c.items_bytes - removed.bytes
    from (
      select organization_id, collection, sum(octet_length(data::text)) as bytes from old_items group by 1, 2
    ) removed
    where c.organization_id = removed.organization_id and c.collection = removed.collection;
  else
    update public.content_collections c set items_bytes = c.items_bytes + changed.bytes
    from (
      select organization_id, collection, sum(bytes) as bytes from (
        select organization_id, collection, octet_length(data::text) as bytes from new_items
        union all
        select organization_id, collection, -octet_length(data::text) from old_items
      ) versions
      group by 1, 2
      having sum(bytes) <> 0
    ) changed
    where c.organization_id = changed.organization_id and c.collection = changed.collection;
  end if;
  return null;
end
$$;
create trigger count_inserted_bytes after insert on content_items
  referencing new table as new_items for each statement execute function count_item_bytes();
create trigger count_updated_bytes after update on content_items
  referencing old table as old_items new table as new_items for each statement execute function count_item_bytes();
create trigger count_deleted_bytes after delete on content_items
  referencing old table as old_items for each statement execute function count_item_bytes();

-- Whether a contact was deleted from its collection. Nothing is known of the contacts in a Directus.
create function contact_is_gone(of_organization uuid, of_collection text, contact_id text)
  returns boolean
  language sql stable set search_path = pg_catalog, public, pg_temp
as $$
  select exists (select from public.content_collections c
      where c.organization_id = of_organization and c.collection = of_collection)
    and not exists (select from public.content_items i
      where i.organization_id = of_organization and i.collection = of_collection and i.id = contact_is_gone.contact_id)
    and not exists (select from public.organization_directus d where d.organization_id = of_organization and d.state <> 'none')
$$;
grant execute on function contact_is_gone(uuid, text, text) to reachout_app;

-- Whether the active content backend of an organization has a contact: an item of a collection with addresses. Of a Directus,
-- what was seen last counts.
create function has_contacts(of_organization uuid)
  returns boolean
  language sql stable
as $$
  select case when exists (select from organization_directus d where d.organization_id = of_organization and d.state <> 'none')
    then exists (select from directus_collections c
      where c.organization_id = of_organization and c.items_count > 0 and c.fields @> '[{"field": "email"}]')
    else exists (select from content_fields f
      where f.organization_id = of_organization and f.field = 'email' and exists (
        select from content_items i where i.organization_id = of_organization and i.collection = f.collection))
  end
$$;
grant execute on function has_contacts(uuid) to reachout_app;
