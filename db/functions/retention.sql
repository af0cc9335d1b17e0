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

-- Addresses and contact persons are personal data: 30 days after their deletion, they can no longer be restored and are
-- erased.
-- owner: identity/contact-details
create function erase_addresses_and_contacts(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  name text;
  erased integer;
  total integer := 0;
begin
  foreach name in array array['user_addresses', 'organization_addresses', 'organization_contacts', 'client_addresses',
    'client_contacts']
  loop
    execute format('delete from public.%1$I where (%2$s) in (
      select %2$s from public.%1$I where deleted and deleted_at < now() - interval ''30 days'' limit $1
    )', name, case name when 'user_addresses' then 'id' else 'organization_id, id' end) using max_rows - total;
    get diagnostics erased = row_count;
    total := total + erased;
  end loop;
  return total;
end
$$;
grant execute on function erase_addresses_and_contacts(integer) to reachout_app;

-- Deletes stored responses after 24 hours; until then, they are returned to repeated requests. Each row belongs to a user,
-- and the worker acts for none, so it cannot delete them itself.
-- owner: identity/access
create function delete_old_responses(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  deleted_count integer;
begin
  delete from public.idempotency_keys k
    where (k.user_id, k.route, k.key) in (
      select o.user_id, o.route, o.key from public.idempotency_keys o
      where o.created_at < now() - interval '24 hours'
      limit max_rows
    );
  get diagnostics deleted_count = row_count;
  return deleted_count;
end
$$;
grant execute on function delete_old_responses(integer) to reachout_app;

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

-- Sign-ups that nobody has confirmed for 30 days, of all organizations.
-- owner: contacts/sign-ups
create function delete_unconfirmed_sign_ups(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  deleted_count integer;
begin
  delete from public.sign_ups s
    where (s.organization_id, s.id) in (
      select o.organization_id, o.id from public.sign_ups o
      where o.confirmed_at is null and o.requested_at < now() - interval '30 days'
      limit max_rows
    );
  get diagnostics deleted_count = row_count;
  return deleted_count;
end
$$;
grant execute on function delete_unconfirmed_sign_ups(integer) to reachout_app;
