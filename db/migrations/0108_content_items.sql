-- item_id: the content item that is merged into the email. items_count: how many of the newest items are. Both are of the
-- collection of the touchpoint. The items may be in a Directus, so that no foreign key can refer to them.
alter table touchpoint_emails
  add column item_id text,
  add column items_count integer not null default 0 check (items_count between 0 and 20);

-- The content item with which the send was confirmed.
alter table touchpoint_sends add column item_id text;
