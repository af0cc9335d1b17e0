-- What addresses and others have said about whether they get emails. What a row means for an email is decided by
-- `subscription_state` alone (db/functions/consent.sql).
create view consent_records with (security_invoker = true) as
  select organization_id, address_key, kind, brand_id, topic_id, value, until, changed_at
  from choices
  where kind in ('suppression', 'topic', 'pause');

-- The topics that recipients can choose, for `contacts/consent`.
create view offered_topics with (security_invoker = true) as
  select organization_id, brand_id, id, name, description, is_default, position from topics;
grant select on offered_topics to reachout_app;

-- What decides whether opens and clicks are measured, by `is_tracked`: the policy of each brand, and what addresses have chosen.
create view tracking_policies with (security_invoker = true) as
  select organization_id, id as brand_id, tracking_policy from brands;
create view tracking_records with (security_invoker = true) as
  select organization_id, brand_id, address_key, value = 'allowed' as is_allowed from choices where kind = 'tracking';
