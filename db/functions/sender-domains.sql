-- The domain of the From address that a send was confirmed with.
create function sender_domain(content jsonb)
  returns text
  language sql immutable parallel safe
  return lower(split_part(content ->> 'from_email', '@', 2));
grant execute on function sender_domain(jsonb) to reachout_app;

-- Sending domains that the senders of a brand can be at, and those that the campaign is linked to, with their statuses; also
-- those outside the access scope: what may be sent does not depend on who asks. With the checks of its hosts that passed.
create function sender_domains(of_brand uuid, of_campaign uuid)
  returns table (id uuid, domain text, status text, is_usable boolean, is_linked boolean, passed text[])
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select d.id, d.domain, d.status, public.is_usable_for(d.client_id, d.brand_id, b.client_id, b.id), l.id is not null,
    array(
      select c.kind from public.sending_domain_checks c
      where c.organization_id = d.organization_id and c.domain_id = d.id and c.state = 'pass'
        and c.kind in ('return_path', 'tracking'))
  from public.sending_domains d
  join public.brands b on b.organization_id = d.organization_id and b.id = of_brand
  left join public.campaign_domains l
    on l.organization_id = d.organization_id and l.domain_id = d.id and l.campaign_id = of_campaign
  where d.organization_id = public.current_organization_id()
    and (l.id is not null or public.is_usable_for(d.client_id, d.brand_id, b.client_id, b.id))
$$;
grant execute on function sender_domains(uuid, uuid) to reachout_app;

-- Status of the sending domain of this name that the emails of a brand can be sent from; null without one.
create function sender_domain_status(wanted text, of_client uuid, of_brand uuid)
  returns text
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select d.status from public.sending_domains d
  where d.organization_id = public.current_organization_id() and d.domain = wanted
    and public.is_usable_for(d.client_id, d.brand_id, of_client, of_brand)
$$;
grant execute on function sender_domain_status(text, uuid, uuid) to reachout_app;
