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

-- The same for a collection of a Directus, with its key type, fields and relations as last read: an email can be sent to contacts that
-- its author cannot see.
create function remote_collection(name text)
  returns table (client_id uuid, brand_id uuid, key_type text, fields jsonb, relations jsonb)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select c.client_id, c.brand_id, c.key_type, c.fields, c.relations from public.directus_collections c
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
      select ceil((
          coalesce((
            select sum(items_bytes) from public.content_collections
            where organization_id = public.current_organization_id()), 0)
          + coalesce((
            select bytes from public.stored_bytes where organization_id = public.current_organization_id()), 0)
        ) / 1000000)::bigint)
    when 'file_megabytes' then (
      select coalesce(ceil(sum(filesize) / 1000000), 0)::bigint from public.content_files
      where organization_id = public.current_organization_id())
    -- Of the website that has taken most today.
    when 'website_events' then (
      select coalesce(max(events), 0) from public.website_use
      where organization_id = public.current_organization_id() and day = (now() at time zone 'UTC')::date)
    when 'website_megabytes' then (
      select coalesce(ceil(max(bytes) / 1000000.0), 0)::bigint from public.website_use
      where organization_id = public.current_organization_id() and day = (now() at time zone 'UTC')::date)
    else (
      select coalesce(sum(items_count), 0)::bigint from public.content_collections
      where organization_id = public.current_organization_id()
        and case kind when 'templates' then collection = 'reachout_templates' else not starts_with(collection, 'reachout_') end)
    end
$$;
grant execute on function count_content(text) to reachout_app;

-- The limit of organizations without their own, in megabytes; as in identity/organizations/quotas.ts.
create function default_content_megabytes()
  returns integer
  language sql immutable parallel safe
  return 4000;
grant execute on function default_content_megabytes() to reachout_app;

-- Counts a text that was stored, changed or deleted. It runs when the transaction commits, so that no lock is taken after that of
-- the count. What a person stores beyond the limit is refused, and rolled back with all of its transaction; what the server
-- stores by itself, such as the next send of a schedule, is counted alone.
-- Arguments: the columns of the organization and of the text; shorter texts are not counted.
-- owner: identity/organizations
create function count_stored_bytes()
  returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  read constant text := format('select ($1).%I, coalesce(octet_length(($1).%I::text), 0)', tg_argv[0], tg_argv[1]);
  shortest constant integer := tg_argv[2];
  organization uuid;
  bytes_before integer := 0;
  bytes_after integer := 0;
  grown integer;
  allowed integer;
begin
  if tg_op <> 'INSERT' then execute read into organization, bytes_before using old; end if;
  if tg_op <> 'DELETE' then execute read into organization, bytes_after using new; end if;
  grown := case when bytes_after < shortest then 0 else bytes_after end
    - case when bytes_before < shortest then 0 else bytes_before end;
  if organization is null or grown = 0 then return null; end if;
  update public.stored_bytes set bytes = bytes + grown where organization_id = organization;
  if grown < 0 then return null; end if;
  if not found then
    insert into public.stored_bytes (organization_id, bytes) values (organization, grown)
    on conflict (organization_id) do update set bytes = stored_bytes.bytes + excluded.bytes;
  end if;
  if public.current_user_id() is null then return null; end if;
  select coalesce(o.content_megabyte_limit, public.default_content_megabytes()) into allowed
  from public.organizations o where o.id = organization;
  if public.count_content('content_megabytes') > allowed then
    raise exception 'the organization has reached its limit of content' using errcode = 'RO001', detail = allowed::text;
  end if;
  return null;
end
$$;

-- All texts of organizations that may be long, and that people can store any number of. Others have bounds of their own: files and
-- items have quotas, what pages of websites send has one a day, and deliveries follow from the daily recipients.
do $$
declare
  counted record;
begin
  for counted in
    select * from (values
      ('touchpoint_emails', 'organization_id', 'mjml', 0),
      ('touchpoint_send_contents', 'organization_id', 'content', 0),
      ('touchpoint_send_contents', 'organization_id', 'audience', 0),
      ('filters', 'organization_id', 'rule', 0),
      ('contact_notes', 'organization_id', 'text', 0),
      ('sign_up_form_versions', 'organization_id', 'fields', 0),
      ('sign_up_form_versions', 'organization_id', 'consent_text', 0),
      -- Most are short, kept for a day, and written with each call of a program.
      ('idempotency_keys', 'counted_for', 'response', 1000)
    ) list (table_name, organization, body, shortest)
  loop
    execute format('create constraint trigger count_new_%2$s after insert on %1$I deferrable initially deferred
      for each row when (octet_length(new.%2$I::text) > %4$s) execute function count_stored_bytes(%3$L, %2$L, %4$L)',
      counted.table_name, counted.body, counted.organization, counted.shortest);
    execute format('create constraint trigger count_changed_%2$s after update of %2$I on %1$I deferrable initially deferred
      for each row when (old.%2$I is distinct from new.%2$I
        and greatest(octet_length(old.%2$I::text), octet_length(new.%2$I::text)) > %4$s)
      execute function count_stored_bytes(%3$L, %2$L, %4$L)',
      counted.table_name, counted.body, counted.organization, counted.shortest);
    execute format('create constraint trigger count_deleted_%2$s after delete on %1$I deferrable initially deferred
      for each row when (octet_length(old.%2$I::text) > %4$s) execute function count_stored_bytes(%3$L, %2$L, %4$L)',
      counted.table_name, counted.body, counted.organization, counted.shortest);
  end loop;
end
$$;
