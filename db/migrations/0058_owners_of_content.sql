-- Whom a collection of contacts, a template or an audience belongs to: a brand, a client and all its brands, or with neither the
-- organization, which shares it with all of its clients. A brand stands beside its client, and never without it.
alter table brands add unique (organization_id, client_id, id);

alter table content_collections
  add column client_id uuid,
  add column brand_id uuid,
  -- How the collection is called on screen; null for those that the platform has names for, and for those called by their name.
  add column label text check (char_length(label) between 1 and 120),
  add check (brand_id is null or client_id is not null),
  add foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  add foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade;
create index on content_collections (organization_id, client_id, brand_id) where client_id is not null;

alter table filters add column client_id uuid;
update filters set client_id = b.client_id
from brands b
where b.organization_id = filters.organization_id and b.id = filters.brand_id;
alter table filters
  drop constraint filters_organization_id_brand_id_fkey,
  add check (brand_id is null or client_id is not null),
  add foreign key (organization_id, client_id) references clients (organization_id, id) on delete cascade,
  add foreign key (organization_id, client_id, brand_id) references brands (organization_id, client_id, id) on delete cascade;
create index on filters (organization_id, client_id, brand_id) where client_id is not null;

-- Templates are items, and a customer's own backend may hold them: their owner stands in fields.
insert into content_fields (organization_id, collection, field, type)
  select organization_id, collection, field, 'uuid'
  from content_collections, unnest(array['client', 'brand']) field
  where collection = 'reachout_templates'
  on conflict do nothing;
