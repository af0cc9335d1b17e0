-- The access scope of limited members. `(select …)` makes PostgreSQL evaluate a function once per statement instead of once
-- per row. PostgreSQL expects that half of the rows pass a boolean sub-select, but one of 200 a comparison with a sub-select:
-- none of the latter may decide alone which rows a member sees who is not limited.
create policy access_scope on brands as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or client_id = any ((select access_scope_client_ids())::uuid[])
  or id = any ((select access_scope_brand_ids())::uuid[])
);
-- A member limited to one of its brands can read a client, for its name, but cannot change it.
create policy access_scope on clients as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or id = any ((select access_scope_client_ids())::uuid[])
  or id in (select b.client_id from brands b where b.id = any ((select access_scope_brand_ids())::uuid[]))
) with check (
  (select has_full_access_scope()) or id = any ((select access_scope_client_ids())::uuid[])
);
create policy access_scope on campaigns as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on touchpoints as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or campaign_id in (select c.id from campaigns c)
);
create policy access_scope on touchpoint_events as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or campaign_id in (select c.id from campaigns c)
);
create policy access_scope on touchpoint_event_listeners as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or touchpoint_event_id in (select e.id from touchpoint_events e)
);
create policy access_scope on reactions as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on touchpoint_emails as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or touchpoint_id in (select t.id from touchpoints t)
);
create policy access_scope on touchpoint_websites as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or touchpoint_id in (select t.id from touchpoints t)
);
create policy access_scope on filters as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or client_id = any ((select access_scope_client_ids())::uuid[])
  or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on sending_domains as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or client_id = any ((select access_scope_client_ids())::uuid[])
  or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on sending_domain_checks as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or domain_id in (select d.id from sending_domains d)
);
create policy access_scope on campaign_domains as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or campaign_id in (select c.id from campaigns c)
);
-- Collections shared by all clients are outside the access scope of a member who can read the content of some clients only.
-- The collections of the platform are visible to every member: access to their contents is restricted separately.
create policy access_scope on content_collections as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or client_id = any ((select access_scope_client_ids())::uuid[])
  or brand_id = any ((select access_scope_brands())::uuid[])
  or (client_id is null and (organization_id = any ((select access_scope_content_organization_ids())::uuid[])
    or starts_with(collection, 'reachout_')))
);
create policy access_scope on directus_collections as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or client_id = any ((select access_scope_client_ids())::uuid[])
  or brand_id = any ((select access_scope_brands())::uuid[])
  or (client_id is null and organization_id = any ((select access_scope_content_organization_ids())::uuid[]))
);
create policy access_scope on audience_readings as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or collection in (select c.collection from directus_collections c)
);
create policy access_scope on audience_reading_contacts as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or reading_id in (select r.id from audience_readings r)
);
-- Access to contacts and other items depends on their collection, access to templates on their own fields.
create policy access_scope on content_items as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or case
    when collection <> 'reachout_templates' then collection = any ((select access_scope_collections())::text[])
    when data ->> 'client' is null then organization_id = any ((select access_scope_template_organization_ids())::uuid[])
    else (data ->> 'client')::uuid = any ((select access_scope_client_ids())::uuid[])
      or (data ->> 'brand')::uuid = any ((select access_scope_brands())::uuid[])
  end
);
-- Without a sub-select, so that pages of contacts are planned for all of them.
create policy own_items on content_items as restrictive for all to reachout_app using (
  has_full_item_scope() or user_created = current_user_id()
);
create policy access_scope on content_imports as restrictive for all to reachout_app using (
  (select has_full_access_scope())
  or case
    when endpoint is null then collection in (select c.collection from content_collections c)
    else collection in (select c.collection from directus_collections c)
  end
);
create policy access_scope on content_presets as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or collection in (select c.collection from content_collections c)
);
create policy access_scope on content_shares as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or collection in (select c.collection from content_collections c)
);
create policy access_scope on touchpoint_sends as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on touchpoint_schedules as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on messages as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or send_id in (select s.id from touchpoint_sends s)
);
create policy access_scope on mailbox_messages as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or send_id in (select s.id from touchpoint_sends s)
);
create policy access_scope on events as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or send_id in (select s.id from touchpoint_sends s)
);
create policy access_scope on unfolded_message_events as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or send_id in (select s.id from touchpoint_sends s)
);
-- Limited members can read suppressions of the whole organization, because these apply to every brand: an audience has the
-- same size for all members.
create policy access_scope on choices as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id is null or brand_id = any ((select access_scope_brands())::uuid[])
) with check (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on topics as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on sign_up_forms as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on sign_up_form_versions as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on sign_ups as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on resubscriptions as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_id is null or brand_id = any ((select access_scope_brands())::uuid[])
) with check (
  (select has_full_access_scope()) or brand_id = any ((select access_scope_brands())::uuid[])
);
create policy access_scope on suppression_lifts as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or brand_ids <@ (select access_scope_brands())::uuid[]
);
-- Contact details of a client: a member limited to one of its brands cannot see them.
create policy access_scope on client_addresses as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or client_id = any ((select access_scope_client_ids())::uuid[])
);
create policy access_scope on client_contacts as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or client_id = any ((select access_scope_client_ids())::uuid[])
);
create policy access_scope on client_socials as restrictive for all to reachout_app using (
  (select has_full_access_scope()) or client_id = any ((select access_scope_client_ids())::uuid[])
);

