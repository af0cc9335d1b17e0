-- Functions that find the organization for a record id, a key or a token in a request. All other code of the server already
-- knows its organization.

-- The organization of a record, by its id alone; these tables have an index on id for this. Raises an error if two
-- organizations have the id. If the tables were distributed by organization_id, only this function would have to change, to
-- look up the id in a table of ids.
create function organization_of(kind text, record_id uuid)
  returns uuid
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  case kind
    when 'organizations' then return record_id;
    when 'clients' then return (select organization_id from public.clients where id = record_id);
    when 'brands' then return (select organization_id from public.brands where id = record_id);
    when 'campaigns' then return (select organization_id from public.campaigns where id = record_id);
    when 'touchpoints' then return (select organization_id from public.touchpoints where id = record_id);
    when 'filters' then return (select organization_id from public.filters where id = record_id);
    when 'sending_domains' then return (select organization_id from public.sending_domains where id = record_id);
    when 'touchpoint_sends' then return (select organization_id from public.touchpoint_sends where id = record_id);
    when 'touchpoint_schedules' then return (select organization_id from public.touchpoint_schedules where id = record_id);
    when 'messages' then return (select organization_id from public.messages where id = record_id);
    when 'content_imports' then return (select organization_id from public.content_imports where id = record_id);
    when 'mailbox_messages' then return (select organization_id from public.mailbox_messages where id = record_id);
    when 'topics' then return (select organization_id from public.topics where id = record_id);
    when 'data_requests' then return (select organization_id from public.data_requests where id = record_id);
    when 'touchpoint_events' then return (select organization_id from public.touchpoint_events where id = record_id);
    when 'sign_up_forms' then return (select organization_id from public.sign_up_forms where id = record_id);
    else raise exception 'unknown kind of record: %', kind;
  end case;
end
$$;

-- The organization of a record, and the permissions of the acting user there: the role, the rules of a custom role, and
-- the clients that the member is limited to, except those in the trash. Returns no row for unknown records, deleted or
-- inactive organizations, and users who are not members.
create function resolve_membership(kind text, record_id uuid)
  returns table (organization_id uuid, role text, status text, rules jsonb, client_ids uuid[], lacks_second_factor boolean)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  tenant uuid := public.organization_of(kind, record_id);
begin
  return query
    select o.id, m.role, o.status,
      -- Conditions stay word for word: a condition without its nulls would allow more.
      (select jsonb_agg(jsonb_build_object('action', p.action, 'subject', p.subject, 'inverted', p.inverted)
          || case when p.conditions is null then '{}' else jsonb_build_object('conditions', p.conditions) end
          order by p.position)
        from public.role_permissions p where p.organization_id = o.id and p.role = m.role),
      array(select c.client_id from public.organization_user_clients c
        join public.clients on clients.organization_id = c.organization_id and clients.id = c.client_id and not clients.deleted
        where c.organization_id = o.id and c.user_id = m.user_id order by c.client_id),
      o.requires_second_factor and not public.has_second_factor()
    from public.organizations o
    join public.organization_users m on m.organization_id = o.id and m.user_id = public.current_user_id()
    where o.id = tenant and not o.deleted and o.status <> 'inactive';
end
$$;
grant execute on function resolve_membership(text, uuid) to reachout_app;

-- Finds an API key by its keyed hash, which cannot be computed without the key. There are several hashes while SECRET_KEY is
-- being rotated. The caller then checks the membership of the key's owner and the scopes of the key, as for every operation.
create function api_key_by_hash(hashes text[])
  returns table (id uuid, organization_id uuid, user_id uuid, scopes text[], last_used_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select k.id, k.organization_id, k.user_id, k.scopes, k.last_used_at
  from public.api_keys k
  join public.users u on u.id = k.user_id and u.status = 'active'
  where k.key_hash = any(hashes) and k.revoked_at is null and k.expires_at > now()
$$;
grant execute on function api_key_by_hash(text[]) to reachout_app;

-- Finds an invitation or invitation link by the keyed hash of its token, which cannot be computed without the token.
create function invitation_by_hash(hashes text[])
  returns table (kind text, organization_id uuid, invitation_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select 'email', i.organization_id, i.id
  from public.organization_invitations i
  join public.organizations o on o.id = i.organization_id and not o.deleted and o.status <> 'inactive'
  where i.token_hash = any(hashes)
  union all
  select 'link', l.organization_id, null
  from public.organization_invitation_links l
  join public.organizations o on o.id = l.organization_id and not o.deleted and o.status <> 'inactive'
  where l.token_hash = any(hashes)
$$;
grant execute on function invitation_by_hash(text[]) to reachout_app;

-- Finds a send by the number in a signed token. The caller has verified the signature; the token is the permission.
create function send_by_number(number bigint)
  returns table (organization_id uuid, send_id uuid, touchpoint_id uuid, brand_id uuid, is_test boolean)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select s.organization_id, s.id, s.touchpoint_id, s.brand_id, s.kind = 'test'
  from public.touchpoint_sends s where s.send_number = number
$$;
grant execute on function send_by_number(bigint) to reachout_app;

-- The URLs of a brand's logos, for the image in its emails, which every reader can load. Includes brands in the trash: their
-- emails are still in people's mailboxes.
create function brand_logos(brand uuid)
  returns table (logo_url text, dark_logo_url text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select b.logo_url, b.dark_logo_url from public.brands b where b.id = brand
$$;
grant execute on function brand_logos(uuid) to reachout_app;

-- Finds a public image by the key in its URL: readers of emails are not signed in.
create function public_image(key text)
  returns table (organization_id uuid, bytes_id uuid, type text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select f.organization_id, f.bytes_id, f.type from public.content_files f
  join public.organizations o on o.id = f.organization_id and not o.deleted
  where f.public_key = key
$$;
grant execute on function public_image(text) to reachout_app;

-- Finds the file of a signed address, which its bearer opens without signing in. The server has checked the signature.
-- Returns no row while a Directus is connected, which then has the files.
create function signed_file(organization uuid, bytes uuid)
  returns table (bucket text, filename_download text, type text, filesize bigint)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select f.bucket, f.filename_download, f.type, f.filesize from public.content_files f
  join public.organizations o on o.id = f.organization_id and o.status = 'active' and not o.deleted
  where f.organization_id = organization and f.bytes_id = bytes and not exists (
    select from public.organization_directus d where d.organization_id = organization and d.access_token is not null
  )
$$;
grant execute on function signed_file(uuid, uuid) to reachout_app;

-- Names of organizations for the operators' page: operators are not members of these organizations.
create function organization_names(ids uuid[])
  returns table (id uuid, name text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id, o.name from public.organizations o where o.id = any (ids)
$$;
grant execute on function organization_names(uuid[]) to reachout_auth;

-- Finds a website by the id that its tracking client sends. The server then compares the token.
create function website_by_id(website_id uuid)
  returns table (organization_id uuid, touchpoint_id uuid, token text, hosts text[], status text, goals json, used_day integer,
    used_events bigint, used_bytes bigint, event_limit integer, megabyte_limit integer)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.touchpoint_id, w.token, w.hosts, t.status, coalesce((
      select json_agg(json_build_object('id', g.id, 'event', g.event, 'value', g.value, 'window_days', g.window_days,
        'created_at', g.created_at))
      from public.conversion_goals g
      where g.organization_id = w.organization_id and g.touchpoint_id = w.touchpoint_id
    ), '[]'), u.day - date '1970-01-01', u.events, u.bytes, o.website_event_limit, o.website_megabyte_limit
  from public.touchpoint_websites w
  join public.touchpoints t on t.organization_id = w.organization_id and t.id = w.touchpoint_id and not t.deleted
  join public.organizations o on o.id = w.organization_id and not o.deleted and o.status = 'active'
  left join public.website_use u on u.organization_id = w.organization_id and u.touchpoint_id = w.touchpoint_id
  where w.id = website_id
$$;
grant execute on function website_by_id(uuid) to reachout_app;
