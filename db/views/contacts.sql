-- The contact of a message: an item of a collection. A single message to an address has no collection, and contact_id is the address.
create view message_contacts with (security_invoker = true) as
  select d.organization_id, d.send_id, d.seq, coalesce(c.audience ->> 'collection', (
      select m.collection from messages m where m.organization_id = d.organization_id and m.send_id = d.send_id and m.seq = d.seq
    ), '') as collection, d.contact_id
  from deliveries d
  join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id and s.kind <> 'test'
  left join touchpoint_send_contents c on c.organization_id = d.organization_id and c.send_id = d.send_id;

-- The visitors that a contact was, each until a link to another contact was followed in the same browser.
create view contact_visitors with (security_invoker = true) as
  select v.organization_id, v.collection, v.contact_id, v.touchpoint_id, v.visitor_id, v.bound_at,
    (select min(n.bound_at) from visitor_contacts n
      where n.organization_id = v.organization_id and n.touchpoint_id = v.touchpoint_id and n.visitor_id = v.visitor_id
        and n.bound_at > v.bound_at) as bound_until
  from visitor_contacts v;
