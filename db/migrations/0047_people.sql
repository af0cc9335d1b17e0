-- What people at the office write down about a contact: plain text, with author and time.
create table contact_notes (
  organization_id uuid not null references organizations (id) on delete cascade,
  collection text not null,
  contact_id text not null,
  id uuid not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, collection, contact_id, id)
);
-- To find what names an account that is deleted.
create index on contact_notes (created_by) where created_by is not null;

-- How a field is called on screen; null for those that the platform has names for, and for those called by their name.
alter table content_fields add column label text check (char_length(label) between 1 and 120);
insert into content_fields (organization_id, collection, field, type)
  select organization_id, collection, 'tags', 'csv' from content_collections where collection = 'contacts'
  on conflict do nothing;

-- The messages of a contact, the latest sends first.
create index on deliveries (organization_id, contact_id, send_id, seq);
-- The items of a collection as they came in.
create index on content_items (organization_id, collection, date_created, id);
