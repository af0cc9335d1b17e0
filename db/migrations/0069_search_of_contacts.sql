-- Searches find a text anywhere in the values of an item, among a million items. pg_trgm has an index for that, btree_gin puts the
-- collection into the same index. Both come with PostgreSQL, and the owner of a database may create them. They have a schema of their
-- own, where nobody finds functions that PUBLIC may call.
create schema if not exists extensions;
create extension if not exists pg_trgm schema extensions;
create extension if not exists btree_gin schema extensions;

-- The values of each item in which searches look, folded as they fold them. It may lag behind content_items: what has changed since
-- stands in content_search_queue. No key to organizations: to check it for a million rows costs too much, and a text is only written
-- for an item that is there.
create table content_search_texts (
  organization_id uuid not null,
  collection text not null,
  item_id text not null,
  text text not null,
  primary key (organization_id, collection, item_id)
);
-- One expression for the collection, which no other index has: PostgreSQL knows nothing of an organization that came after its last
-- analyze, and would read all of its rows by the key.
set local search_path = public, extensions;
create index content_search_texts_text_idx on content_search_texts
  using gin ((organization_id::text || ' ' || collection), text gin_trgm_ops);
reset search_path;

-- Items that were created or changed, in the transaction that did it: their rows in content_search_texts are yet to be written. One row
-- for each statement, so that it costs an import next to nothing.
create table content_search_queue (
  organization_id uuid not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  collection text not null,
  item_ids text[] not null,
  primary key (organization_id, id)
);

insert into content_search_queue (organization_id, collection, item_ids)
select organization_id, collection, array_agg(id)
from (
  select organization_id, collection, id, (row_number() over (partition by organization_id, collection order by id) - 1) / 1000 as part
  from content_items
  where not starts_with(collection, 'reachout_')
) item
group by organization_id, collection, part;
