-- What operators of the installation see of organizations and users that are not theirs. The server asks for it as
-- `reachout_auth`, after it has checked that somebody is an operator (identity/operators).

create function operated_organizations(search text, wanted_status text, max_rows integer, skipped integer)
  returns table (id uuid, name text, status text, status_reason text, members bigint, created_at timestamptz, count bigint)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id, o.name, o.status, o.status_reason,
    (select count(*) from public.organization_users m where m.organization_id = o.id), o.created_at, count(*) over ()
  from public.organizations o
  where not o.deleted and (wanted_status is null or o.status = wanted_status)
    and (search is null or strpos(lower(o.name), lower(search)) > 0)
  order by o.created_at desc, o.id
  limit max_rows offset skipped
$$;
grant execute on function operated_organizations(text, text, integer, integer) to reachout_auth;

create function organizations_of_user(of_user uuid)
  returns table (id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id
  from public.organization_users m
  join public.organizations o on o.id = m.organization_id and not o.deleted
  where m.user_id = of_user
$$;
grant execute on function organizations_of_user(uuid) to reachout_auth;
