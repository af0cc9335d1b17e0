-- Row-level security for every table with an organization_id, so that no new table is left without it. FORCE applies it to
-- the owner too. The owner can read all rows, because the security definer functions run as the owner, which need not be a
-- superuser. The check is a sub-select, which PostgreSQL evaluates once per statement: an audience snapshot writes a
-- million rows.
do $$
declare
  name regclass;
begin
  for name in
    select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'organization_id' and not a.attisdropped
  loop
    execute format('alter table %s enable row level security, force row level security', name);
    execute format('create policy tenant on %s for all to reachout_app
      using (organization_id = current_organization_id()) with check (organization_id = (select current_organization_id()))', name);
    execute format('create policy definer on %s for select to current_user using (true)', name);
    execute format('grant select, insert, update, delete on %s to reachout_app', name);
  end loop;
end
$$;

alter table organizations enable row level security, force row level security;
create policy tenant on organizations for all to reachout_app
  using (id = current_organization_id()) with check (id = current_organization_id());
create policy definer on organizations for select to current_user using (true);
grant select, insert, update on organizations to reachout_app;

-- The server's role can never change audit log entries, resubscriptions with their basis, nor what people have agreed to.
revoke update, delete on audit_log, resubscriptions, sign_up_form_versions from reachout_app;

grant usage on schema public to reachout_app;
grant select on consent_records, topic_emails, topic_sends, coming_sends, current_sending_domains, touchpoint_collection_items, current_brands, current_campaigns, current_touchpoints, event_listeners, brand_overviews, campaign_overviews, touchpoint_overviews, clients_brands, campaigns_touchpoints, counted_sends, counted_results, counted_visitor_events, message_contacts, contact_visitors, visits, tracking_policies, tracking_records, current_conversions, conversion_counts, converted_messages to reachout_app;
