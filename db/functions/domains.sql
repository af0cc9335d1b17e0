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

-- Whether neither the organization nor the client or brand that owns the domain is deleted.
create function is_domain_used(domain_id uuid)
  returns boolean
  language sql stable set search_path = pg_catalog, public, pg_temp
as $$
  select exists (
    select from public.sending_domains d
    join public.organizations o on o.id = d.organization_id and not o.deleted
    where d.id = domain_id
      and not exists (
        select from public.clients c where c.organization_id = d.organization_id and c.id = d.client_id and c.deleted)
      and not exists (
        select from public.brands b where b.organization_id = d.organization_id and b.id = d.brand_id and b.deleted))
$$;
grant execute on function is_domain_used(uuid) to reachout_app;

-- Domains whose next check is due, of organizations in use, and of deleted ones, which lose their names.
create function due_sending_domains(max_rows integer)
  returns table (organization_id uuid, id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select d.organization_id, d.id
  from public.sending_domains d
  join public.organizations o on o.id = d.organization_id and (o.deleted or o.status = 'active')
  where d.next_check_at <= now()
  order by d.next_check_at
  limit max_rows
$$;
grant execute on function due_sending_domains(integer) to reachout_app;

-- Domains whose host of links answered as we do at the latest check, or had a CNAME record to the target: then it gets a
-- certificate, which the next check needs. Each once; that of the organization that has verified it, if any, says where the bare
-- host leads. Also of deleted clients and brands, since their messages are still in mailboxes.
create function tracking_hosts(target text, max_rows integer)
  returns table (domain text, destination text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select f.domain, case when f.is_verified then f.destination end
  from (
    select distinct on (d.domain) d.domain, d.destination, d.created_at, d.status <> 'pending' as is_verified
    from public.sending_domains d
    join public.organizations o on o.id = d.organization_id and not o.deleted
    join public.sending_domain_checks c
      on c.organization_id = d.organization_id and c.domain_id = d.id and c.kind = 'tracking'
    where c.state in ('pass', 'warn')
      or c.found @> jsonb_build_array(jsonb_build_object('type', 'CNAME', 'value', target))
    order by d.domain, d.status <> 'pending' desc, d.created_at
  ) f
  order by f.is_verified desc, f.created_at
  limit max_rows
$$;
grant execute on function tracking_hosts(text, integer) to reachout_app;

-- Whether mail to this host is returned mail: that of a sending domain that is or was verified, since messages that name the host may
-- still be on their way when the domain fails.
create function is_bounce_host(host text)
  returns boolean
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select starts_with(host, 'bounce.') and exists (
    select from public.sending_domains d where d.domain = substr(host, 8) and d.status <> 'pending')
$$;
grant execute on function is_bounce_host(text) to reachout_app;
