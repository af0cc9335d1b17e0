-- Messages that a mail server took, by the quarter of an hour in which it did, beside the totals of states: what becomes of one
-- later does not change them. Their state is `accepted`.
insert into delivery_result_totals (organization_id, touchpoint_id, at, send_id, state, class, count)
select organization_id, touchpoint_id, at, send_id, 'accepted', '', count from delivery_result_totals where state = 'sent';

-- Failures that say little alone are one more kind of what is stored of an address: one row for each send, until they expire.
alter table choices
  drop constraint choices_organization_id_address_key_kind_brand_id_topic_id_key,
  drop constraint choices_check,
  drop constraint choices_check2,
  drop constraint choices_check6,
  drop constraint choices_kind_check,
  drop constraint choices_value_check,
  -- Tells the failures of an address apart; null for all other kinds.
  add column failed_send_id uuid generated always as (case when kind = 'failure' then send_id end) stored,
  add constraint choices_key unique nulls not distinct
    (organization_id, address_key, kind, brand_id, topic_id, failed_send_id),
  add check (brand_id is not null or kind in ('suppression', 'failure')),
  add check ((until is not null) = (kind in ('pause', 'failure'))),
  add check ((source is null) = (kind in ('suppression', 'failure'))),
  add constraint choices_kind_check check (kind in ('suppression', 'topic', 'pause', 'tracking', 'failure')),
  add constraint choices_value_check check (value in ('bounce', 'complaint', 'unsubscribe', 'manual', 'subscribed', 'not_subscribed',
    'paused', 'allowed', 'refused', 'address_likely', 'domain_hard', 'routing_soft', 'mailbox_full', 'expired', 'unknown')),
  add check ((kind = 'failure') = (value in
    ('address_likely', 'domain_hard', 'routing_soft', 'mailbox_full', 'expired', 'unknown')));
-- To delete those that have expired.
create index on choices (until) where kind = 'failure';
