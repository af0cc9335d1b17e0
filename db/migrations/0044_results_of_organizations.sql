-- Results of an organization in a period are sums over all of its emails: read from the quarters of the period, and not
-- from every email that it ever sent.
create index on delivery_result_totals (organization_id, at);
create index on delivery_event_totals (organization_id, at);
-- What runs or waits, found without reading all sends of the organization. Names the statuses of `openSendStatuses`.
create index touchpoint_sends_open on touchpoint_sends (organization_id, send_date)
  where kind <> 'test' and status in ('queued', 'preparing', 'sending', 'paused');
