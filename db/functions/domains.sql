-- Whether another organization has verified this domain; says nothing of which. Until the transaction ends, no other one gets
-- an answer for the same domain.
create function is_domain_taken(wanted text)
  returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sending domain ' || wanted, 0));
  return exists (
    select from public.sending_domains d
    where d.domain = wanted and d.status <> 'pending' and d.organization_id <> public.current_organization_id());
end
$$;
grant execute on function is_domain_taken(text) to reachout_app;

-- Number of domains of the organization, including those outside the access scope.
create function count_sending_domains()
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select count(*) from public.sending_domains d where d.organization_id = public.current_organization_id()
$$;
grant execute on function count_sending_domains() to reachout_app;

-- Domains whose next check is due, of organizations in use.
create function due_sending_domains(max_rows integer)
  returns table (organization_id uuid, id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select d.organization_id, d.id
  from public.sending_domains d
  join public.organizations o on o.id = d.organization_id and not o.deleted and o.status = 'active'
  where d.next_check_at <= now()
  order by d.next_check_at
  limit max_rows
$$;
grant execute on function due_sending_domains(integer) to reachout_app;
