-- `(select …)` makes PostgreSQL ask once for a statement, not once for a row.
create policy reach on brands as restrictive for all to reachout_app using (
  (select has_full_reach())
  or client_id = any ((select reachable_client_ids())::uuid[])
  or id = any ((select reachable_brand_ids())::uuid[])
);
create policy reach on clients as restrictive for all to reachout_app using (
  (select has_full_reach())
  or id = any ((select reachable_client_ids())::uuid[])
  or id in (select b.client_id from brands b where b.id = any ((select reachable_brand_ids())::uuid[]))
);
create policy reach on campaigns as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on touchpoints as restrictive for all to reachout_app using (
  (select has_full_reach()) or campaign_id in (select c.id from campaigns c)
);
create policy reach on touchpoint_emails as restrictive for all to reachout_app using (
  (select has_full_reach()) or touchpoint_id in (select t.id from touchpoints t)
);
create policy reach on touchpoint_websites as restrictive for all to reachout_app using (
  (select has_full_reach()) or touchpoint_id in (select t.id from touchpoints t)
);
create policy reach on filters as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on touchpoint_sends as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
create policy reach on mailbox_messages as restrictive for all to reachout_app using (
  (select has_full_reach()) or send_id in (select s.id from touchpoint_sends s)
);
create policy reach on events as restrictive for all to reachout_app using (
  (select has_full_reach()) or send_id in (select s.id from touchpoint_sends s)
);
-- Those of the whole organization count for every brand: an audience is as large for a limited member as for others.
create policy reach on suppressions as restrictive for all to reachout_app using (
  (select has_full_reach()) or brand_id is null or brand_id in (select b.id from brands b)
) with check (
  (select has_full_reach()) or brand_id in (select b.id from brands b)
);
-- The rows of a client's own: whoever reaches only a brand of it does not see whom to call there.
create policy reach on client_addresses as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);
create policy reach on client_contacts as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);
create policy reach on client_socials as restrictive for all to reachout_app using (
  (select has_full_reach()) or client_id = any ((select reachable_client_ids())::uuid[])
);

