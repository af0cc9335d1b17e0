-- Functions that find or erase rows that were deleted long ago or whose retention period is over. In the worker, the
-- policies in db/policies/owner.sql let the owner delete only expired rows, whatever rows a function selects.

-- Organizations deleted more than 30 days ago. The worker erases the rows of each in that organization's context.
create function organizations_to_erase(max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select o.id from public.organizations o
  where o.deleted and o.deleted_at < now() - interval '30 days'
  order by o.deleted_at
  limit max_rows
$$;
grant execute on function organizations_to_erase(integer) to reachout_app;

-- Records deleted more than 60 days ago: until then, links in their messages keep working.
create function records_to_erase(max_rows integer)
  returns table (organization_id uuid, kind text, record_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select r.organization_id, r.kind, r.id
  from (
    select t.organization_id, 'clients' as kind, t.id, t.deleted_at from public.clients t where t.deleted
    union all select t.organization_id, 'brands', t.id, t.deleted_at from public.brands t where t.deleted
    union all select t.organization_id, 'campaigns', t.id, t.deleted_at from public.campaigns t where t.deleted
    union all select t.organization_id, 'touchpoints', t.id, t.deleted_at from public.touchpoints t where t.deleted
  ) r
  where r.deleted_at < now() - interval '60 days'
  order by r.deleted_at
  limit max_rows
$$;
grant execute on function records_to_erase(integer) to reachout_app;

-- Deleted collections whose contents are to be erased. An hour after the deletion, no process that found the collection
-- before still writes to it.
create function collections_to_erase(max_rows integer)
  returns table (organization_id uuid, collection text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select d.organization_id, d.collection from public.deleted_collections d
  where d.created_at < now() - interval '1 hour'
  order by d.created_at
  limit max_rows
$$;
grant execute on function collections_to_erase(integer) to reachout_app;

-- Tests are kept for 30 days. A test that is leased by a worker is skipped until a later call.
create function tests_to_erase(max_rows integer)
  returns table (organization_id uuid, send_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select s.organization_id, s.id from public.touchpoint_sends s
  where s.kind = 'test' and s.created_at < now() - interval '30 days' and not exists (
    select from public.delivery_queue q
    where q.organization_id = s.organization_id and q.send_id = s.id and q.worker_id is not null)
  order by s.created_at
  limit max_rows
$$;
grant execute on function tests_to_erase(integer) to reachout_app;

-- From when single events and sessions of visitors are kept.
create function visits_kept_from(days integer)
  returns timestamptz
  language sql stable
  return ((now() at time zone 'UTC')::date - days)::timestamp at time zone 'UTC';
grant execute on function visits_kept_from(integer) to reachout_app;

-- Websites with single events, sessions or drops that their organization keeps no longer.
create function old_visits(max_rows integer)
  returns table (organization_id uuid, touchpoint_id uuid, kept_from timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.organization_id, w.touchpoint_id, k.kept_from
  from public.organizations o
  cross join lateral (select public.visits_kept_from(o.website_events_days) as kept_from) k
  join public.touchpoint_websites w on w.organization_id = o.id
  where exists (select from public.visitor_events e
      where e.organization_id = w.organization_id and e.touchpoint_id = w.touchpoint_id and e.at < k.kept_from)
    or exists (select from public.visitor_sessions s
      where s.organization_id = w.organization_id and s.touchpoint_id = w.touchpoint_id and s.started_at < k.kept_from
        and s.events > 0)
    or exists (select from public.website_drops d
      where d.organization_id = w.organization_id and d.touchpoint_id = w.touchpoint_id
        and d.day < (k.kept_from at time zone 'UTC')::date)
  limit max_rows
$$;
grant execute on function old_visits(integer) to reachout_app;

-- Deletes an expired organization, which the server's role cannot do itself. Returns whether it was deleted.
-- owner: identity/organizations
create function erase_organization(expired_id uuid)
  returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  delete from public.organizations o
    where o.id = expired_id and o.deleted and o.deleted_at < now() - interval '30 days';
  return found;
end
$$;
grant execute on function erase_organization(uuid) to reachout_app;

-- Deletes rows of all organizations and users whose time is over: the worker acts for none of them, and cannot do it itself.
-- owner: operations/retention
create function delete_expired(expired text, max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  condition text := case
    -- Stored responses, which are returned to repeated requests until then.
    when expired = 'idempotency_keys' then 'created_at < now() - interval ''24 hours'''
    -- Nobody has confirmed them.
    when expired = 'sign_ups' then 'confirmed_at is null and requested_at < now() - interval ''30 days'''
    -- Failures of an address that no longer count.
    when expired = 'choices' then 'kind = ''failure'' and until < now()'
    -- Personal data, which can no longer be restored.
    when expired in ('user_addresses', 'organization_addresses', 'organization_contacts', 'client_addresses',
      'client_contacts') then 'deleted and deleted_at < now() - interval ''30 days'''
  end;
  deleted_count integer;
begin
  if condition is null then
    raise exception 'rows of % do not expire', expired;
  end if;
  execute format('delete from public.%1$I where ctid = any (array(
    select ctid from public.%1$I where %2$s limit $1
  )) and %2$s', expired, condition) using max_rows;
  get diagnostics deleted_count = row_count;
  return deleted_count;
end
$$;
grant execute on function delete_expired(text, integer) to reachout_app;

-- Organizations with visitors whose contact was deleted, and of which something may still tell who it was.
create function organizations_with_erased_visitors(max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct v.organization_id from public.visitor_contacts v where v.is_erased limit max_rows
$$;
grant execute on function organizations_with_erased_visitors(integer) to reachout_app;

-- Recipients' requests about their own data whose time is over, for the worker, which then enters each organization.
create function organizations_with_old_data_requests(max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct r.organization_id from public.data_requests r
  where r.state = 'unconfirmed' and r.requested_at < now() - interval '7 days'
    or r.state = 'done' and r.address_key is not null and r.ended_at < now() - interval '7 days'
  limit max_rows
$$;
grant execute on function organizations_with_old_data_requests(integer) to reachout_app;
