-- Which contact a visitor of a website is, by links in messages that were followed: `content/contacts`. A row holds from its
-- time to that of the next one of the visitor.
create table visitor_contacts (
  organization_id uuid not null references organizations (id) on delete cascade,
  touchpoint_id uuid not null,
  visitor_id uuid not null,
  -- The time of the visitor's event.
  bound_at timestamptz not null,
  -- The message whose link was followed.
  send_id uuid not null,
  seq integer not null,
  -- Of the contact; empty for a single message, whose contact_id is an address.
  collection text not null,
  contact_id text not null,
  primary key (organization_id, touchpoint_id, visitor_id, bound_at),
  foreign key (organization_id, touchpoint_id) references touchpoints (organization_id, id) on delete cascade
);
create index on visitor_contacts (organization_id, contact_id, bound_at);
create index on visitor_contacts (organization_id, send_id, seq);
