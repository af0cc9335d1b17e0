-- The contacts that the rule of a send matched and that get no message, with the reason: the other part of the audience
-- snapshot, written with `deliveries` in one statement and never changed. They may be as many, so there is no foreign key
-- here either.
create table delivery_exclusions (
  organization_id uuid not null,
  send_id uuid not null,
  -- 1 to the number of contacts excluded from the send.
  seq integer not null,
  contact_id text not null,
  -- What the contact has for an address; null where it has nothing.
  address text,
  -- The first that holds, in this order.
  reason text not null
    check (reason in ('no_address', 'invalid_address', 'duplicate_address', 'unsubscribed', 'suppressed')),
  primary key (organization_id, send_id, seq)
);

-- Lists what was not sent without reading what was.
create index delivery_results_not_sent on delivery_results (organization_id, send_id, state, seq) where state <> 'sent';
