-- The transport that the emails of a brand leave by; null for that of the installation. Without a brand, that of the organization.
create function chosen_transport(of_organization uuid, of_brand uuid)
  returns uuid
  language sql stable
as $$
  select c.transport_id from transport_choices c
  where c.organization_id = of_organization and c.chosen_for in (of_organization, of_brand)
  order by c.brand_id is not null desc
  limit 1
$$;
grant execute on function chosen_transport(uuid, uuid) to reachout_app;

-- Transports whose provider has a list of suppressed addresses that is due to be read, of all organizations.
create function due_transports(wanted integer)
  returns table (organization_id uuid, id uuid, read_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select t.organization_id, t.id, t.suppressions_read_at from public.transports t
  join public.organizations o on o.id = t.organization_id and o.status = 'active' and not o.deleted
  where t.settings ->> 'kind' <> 'smtp' and t.suppressions_due_at <= now()
  order by t.suppressions_due_at
  limit wanted
$$;
grant execute on function due_transports(integer) to reachout_app;
