-- Data about the acting user across organizations. The functions read the user from the transaction's setting, never from
-- an argument.

-- Whether the user has a second factor. Only for functions that run as the owner.
create function has_second_factor() returns boolean
  language sql stable
as $$
  select exists (
    select from public.totp_secrets t where t.user_id = public.current_user_id() and t.confirmed_at is not null
  ) or exists (select from public.passkeys p where p.user_id = public.current_user_id())
$$;

-- The organizations of the user; deleted and inactive ones are hidden.
create function my_organizations()
  returns table (id uuid, name text, logo_url text, deleted boolean, status text, status_reason text, organization_size_id text,
    organization_sizes jsonb, country_id text, countries jsonb, role text, role_name text, uncertain_policy text, website_events_days integer, currency text, requires_second_factor boolean, lacks_second_factor boolean, created_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id, o.name, o.logo_url, o.deleted, o.status, o.status_reason, o.organization_size_id,
    case when s.id is not null then jsonb_build_object('name', s.name) end, o.country_id,
    case when c.id is not null then jsonb_build_object('name', c.name) end, m.role, r.name,
    o.uncertain_policy, o.website_events_days, o.currency, o.requires_second_factor, o.requires_second_factor and not public.has_second_factor(), o.created_at
  from public.organization_users m
  join public.organizations o on o.id = m.organization_id
  left join public.organization_sizes s on s.id = o.organization_size_id
  left join public.countries c on c.id = o.country_id
  left join public.organization_roles r on r.organization_id = m.organization_id and r.role = m.role
  where m.user_id = public.current_user_id() and not o.deleted and o.status <> 'inactive'
  order by lower(o.name), o.id
$$;
grant execute on function my_organizations() to reachout_app;

-- Pending invitations to the user's verified address.
create function my_invitations()
  returns table (id uuid, organization_id uuid, organization_name text, logo_url text, role text, role_name text,
    invited_by_name text, token_sealed text, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select i.id, o.id, o.name, o.logo_url, i.role, r.name, p.full_name, i.token_sealed, i.expires_at
  from public.users u
  join public.organization_invitations i on i.email = u.email and i.status = 'pending' and i.expires_at > now()
  join public.organizations o on o.id = i.organization_id and not o.deleted and o.status <> 'inactive'
  left join public.organization_roles r on r.organization_id = i.organization_id and r.role = i.role
  left join public.users p on p.id = i.invited_by
  where u.id = public.current_user_id() and u.email_verified
  order by i.created_at desc
$$;
grant execute on function my_invitations() to reachout_app;

-- The user's valid API keys in all organizations.
create function my_api_keys()
  returns table (id uuid, organization_id uuid, organization_name text, name text, prefix text, scopes text[],
    created_at timestamptz, last_used_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select k.id, o.id, o.name, k.name, k.prefix, k.scopes, k.created_at, k.last_used_at, k.expires_at
  from public.api_keys k
  join public.organizations o on o.id = k.organization_id and not o.deleted and o.status <> 'inactive'
  where k.user_id = public.current_user_id() and k.revoked_at is null and k.expires_at > now()
  -- Organizations in the same order for everybody, so that two who revoke keys in several never wait for each other.
  order by o.id, k.created_at desc, k.id
$$;
grant execute on function my_api_keys() to reachout_app;

-- The avatar of a person with whom the user shares an organization. If that organization requires a second factor, the user
-- must have one.
create function avatar_of(person_id uuid)
  returns text
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select u.avatar_url from public.users u where u.id = person_id and exists (
    select from public.organization_users mine
    join public.organization_users theirs on theirs.organization_id = mine.organization_id and theirs.user_id = person_id
    join public.organizations o on o.id = mine.organization_id and not o.deleted and o.status <> 'inactive'
    where mine.user_id = public.current_user_id()
      and (not o.requires_second_factor or public.has_second_factor())
  )
$$;
grant execute on function avatar_of(uuid) to reachout_app;

-- Adds a sign-in of the user to the audit log of each of the user's organizations.
-- owner: identity/access
create function record_sign_in(entry_id uuid, session_id uuid, method text, ip_address text, user_agent text)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.audit_log (organization_id, id, user_id, action, details, ip_address, user_agent)
  select m.organization_id, entry_id, m.user_id, 'sign_in', jsonb_build_object('method', record_sign_in.method),
    record_sign_in.ip_address, record_sign_in.user_agent
  from public.sessions s
  join public.organization_users m on m.user_id = s.user_id
  join public.organizations o on o.id = m.organization_id and not o.deleted and o.status <> 'inactive'
  where s.id = record_sign_in.session_id and s.user_id = public.current_user_id()
$$;
grant execute on function record_sign_in(uuid, uuid, text, text, text) to reachout_app;

-- The personal data that organizations hold about the user, for export and erasure. Includes organizations that the user
-- left and those that are deleted or inactive; excludes data about other people and the names of records.
create function my_personal_data()
  returns table (kind text, organization_id uuid, data jsonb)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  with me as (select u.id, u.email from public.users u where u.id = public.current_user_id()),
  places as (
    select m.organization_id from public.organization_users m join me on me.id = m.user_id
    union select i.organization_id from public.organization_invitations i join me on me.email = i.email
    union select a.organization_id from public.audit_log a join me on me.id = a.user_id
  ),
  -- Invitations to the current address, and those that were accepted under an earlier one.
  invitations as (
    select i.* from public.organization_invitations i join me on i.email = me.email
    union select i.* from me
    join public.audit_log a on a.user_id = me.id and a.action = 'invitations.accept'
    join public.organization_invitations i on i.organization_id = a.organization_id and i.id::text = a.record_id
  )
  select 'membership', m.organization_id, jsonb_build_object('organization', o.name, 'role', m.role,
      'created_at', m.created_at, 'last_seen_at', m.last_seen_at, 'organization_deleted', o.deleted)
    from me join public.organization_users m on m.user_id = me.id
    join public.organizations o on o.id = m.organization_id
  union all
  select 'invitation', i.organization_id, jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
      'language', i.language, 'status', i.status, 'created_at', i.created_at, 'expires_at', i.expires_at)
    from invitations i join public.organizations o on o.id = i.organization_id
  union all
  select 'sent_invitation', i.organization_id, jsonb_build_object('id', i.id, 'role', i.role, 'status', i.status,
      'created_at', i.created_at)
    from me join public.organization_invitations i on i.invited_by = me.id
  union all
  select 'invitation_link', l.organization_id, jsonb_build_object('max_uses', l.max_uses, 'uses', l.uses,
      'created_at', l.created_at, 'expires_at', l.expires_at)
    from me join public.organization_invitation_links l on l.created_by = me.id
  union all
  select 'api_key', k.organization_id, jsonb_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix,
      'scopes', k.scopes, 'created_at', k.created_at, 'last_used_at', k.last_used_at, 'expires_at', k.expires_at,
      'revoked_at', k.revoked_at)
    from me join public.api_keys k on k.user_id = me.id
  union all
  select 'audit_entry', a.organization_id, jsonb_build_object('id', a.id, 'at', a.at, 'action', a.action,
      'record_type', a.record_type, 'record_id', a.record_id, 'ip_address', a.ip_address, 'user_agent', a.user_agent)
    from me join public.audit_log a on a.user_id = me.id
  union all
  select 'send', s.organization_id, jsonb_build_object('id', s.id, 'touchpoint_id', s.touchpoint_id,
      'status', s.status, 'send_date', s.send_date, 'created_at', s.created_at)
    from me, places p join public.touchpoint_sends s on s.organization_id = p.organization_id
    where s.user_created = me.id
  union all
  select 'import', c.organization_id, jsonb_build_object('id', c.id, 'collection', c.collection,
      'file_name', c.file_name, 'status', c.status, 'created_at', c.created_at)
    from me, places p join public.content_imports c on c.organization_id = p.organization_id
    where c.user_created = me.id
$$;
grant execute on function my_personal_data() to reachout_app;

-- Removes the user's personal data from shared rows: audit log entries keep ids only, and stored responses that contain the
-- user's id or address are deleted. Nothing else ever changes an audit log entry.
-- owner: identity/access
create function erase_my_personal_data()
  returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  me record;
  mine text[];
  places uuid[];
begin
  select u.id, u.email into strict me from public.users u where u.id = public.current_user_id();
  mine := array(select t.data ->> 'id' from public.my_personal_data() t where t.kind = 'invitation') || me.id::text;
  places := array(select t.organization_id from public.my_personal_data() t);
  update public.audit_log a set ip_address = null, user_agent = null where a.user_id = me.id;
  -- Only entries about invitations and members have a person's name as the name of the record.
  update public.audit_log a set record_name = null, details = '{}'
    where a.organization_id = any(places) and a.record_id = any(mine);
  -- An id is unique, so any occurrence counts. An address may be part of another one, so whole values are compared.
  delete from public.idempotency_keys k
    where strpos(k.response::text, me.id::text) > 0 or exists (
      select from jsonb_path_query(k.response, 'strict $.**') as v (value)
      where jsonb_typeof(v.value) = 'string' and lower(v.value #>> '{}') = lower(me.email)
    );
end
$$;
grant execute on function erase_my_personal_data() to reachout_app;

-- The name of a user whom the transaction may see, for what that user has made; null for a deleted account.
create function full_name_of(of_user_id uuid) returns text
  language sql stable
as $$
  select full_name from users where id = of_user_id
$$;
grant execute on function full_name_of(uuid) to reachout_app;

-- The links of a client, oldest first; their number is limited.
create function socials_of_client(of_client_id uuid) returns jsonb
  language sql stable
as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object('id', s.id, 'network', s.network, 'url', s.url) order by s.created_at, s.id)
    from client_socials s where s.client_id = of_client_id
  ), '[]')
$$;
grant execute on function socials_of_client(uuid) to reachout_app;

-- The address of a user within the reach of the caller, for tests that go to the caller alone.
create function address_of_user(of_user uuid)
  returns text
  language sql stable
  return (select email from users where id = of_user);
grant execute on function address_of_user(uuid) to reachout_app;
