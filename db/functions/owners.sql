-- Owners of content: of contact collections, templates and audiences.

-- Whether content of one owner can be used by another. Content of a brand can be used by that brand, content of a client by
-- all its brands, content of the organization by all. The browser has the same rule: packages/contract/src/rules/owners.ts.
create function is_usable_for(owner_client uuid, owner_brand uuid, user_client uuid, user_brand uuid)
  returns boolean
  language sql immutable parallel safe
  return coalesce(
    owner_client is null or (owner_client = user_client and (owner_brand is null or owner_brand = user_brand)),
    false
  );
grant execute on function is_usable_for(uuid, uuid, uuid, uuid) to reachout_app;

-- Whether the organization has another client, even outside the access scope: only then is anything shared.
create function has_other_clients(than uuid)
  returns boolean
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select exists (
    select from public.clients c
    where c.organization_id = public.current_organization_id() and c.id <> than and not c.deleted)
$$;
grant execute on function has_other_clients(uuid) to reachout_app;

-- The owner of a collection, even outside the access scope: whether a send can use its contacts does not depend on the
-- member. Returns no row for an unknown collection.
create function owner_of_collection(name text)
  returns table (client_id uuid, brand_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select c.client_id, c.brand_id from public.content_collections c
  where c.organization_id = public.current_organization_id() and c.collection = name
$$;
grant execute on function owner_of_collection(text) to reachout_app;

-- The same for a collection of a Directus, with its key type and fields as last read: an email can be sent to contacts that
-- its author cannot see.
create function remote_collection(name text)
  returns table (client_id uuid, brand_id uuid, key_type text, fields jsonb)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select c.client_id, c.brand_id, c.key_type, c.fields from public.directus_collections c
  where c.organization_id = public.current_organization_id() and c.collection = name
$$;
grant execute on function remote_collection(text) to reachout_app;

-- Number of audiences of a collection, or emails with an audience, that could no longer use it if it
-- belonged to this owner. Includes those outside the access scope.
create function count_other_users(kind text, key text, owner_client uuid, owner_brand uuid)
  returns bigint
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  organization uuid := public.current_organization_id();
begin
  if kind = 'collection' then
    return (
      select count(*) from public.filters f
      where f.organization_id = organization and f.collection = key
        and not public.is_usable_for(owner_client, owner_brand, f.client_id, f.brand_id)
    );
  end if;
  return (
    select count(*)
    from public.touchpoint_emails e
    join public.touchpoints t on t.organization_id = e.organization_id and t.id = e.touchpoint_id and not t.deleted
    join public.campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id and not c.deleted
    join public.brands b on b.organization_id = c.organization_id and b.id = c.brand_id and not b.deleted
    join public.clients client on client.organization_id = b.organization_id and client.id = b.client_id and not client.deleted
    where e.organization_id = organization
      and e.filter_id = key::uuid
      and not public.is_usable_for(owner_client, owner_brand, b.client_id, b.id)
  );
end
$$;
grant execute on function count_other_users(text, text, uuid, uuid) to reachout_app;

-- Number of audiences of a collection, including those outside the access scope, but not those of deleted clients and
-- brands.
create function count_audiences_of(wanted text)
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select count(*) from public.filters f
  where f.organization_id = public.current_organization_id() and f.collection = wanted
    and not exists (
      select from public.clients c where c.organization_id = f.organization_id and c.id = f.client_id and c.deleted)
    and not exists (
      select from public.brands b where b.organization_id = f.organization_id and b.id = f.brand_id and b.deleted)
$$;
grant execute on function count_audiences_of(text) to reachout_app;

-- Amount of the organization's content as counted by its quotas, including content outside the access scope.
create function count_content(kind text)
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select case kind
    when 'imports' then (
      select count(*) from public.content_imports
      where organization_id = public.current_organization_id() and created_at > now() - interval '24 hours')
    when 'content_megabytes' then (
      select coalesce(ceil(sum(items_bytes) / 1000000), 0)::bigint from public.content_collections
      where organization_id = public.current_organization_id())
    when 'file_megabytes' then (
      select coalesce(ceil(sum(filesize) / 1000000), 0)::bigint from public.content_files
      where organization_id = public.current_organization_id())
    else (
      select coalesce(sum(items_count), 0)::bigint from public.content_collections
      where organization_id = public.current_organization_id()
        and case kind when 'templates' then collection = 'reachout_templates' else not starts_with(collection, 'reachout_') end)
    end
$$;
grant execute on function count_content(text) to reachout_app;
