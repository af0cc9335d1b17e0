-- The brand whose library an image is in; null for files that belong to none. Who may see a file does not depend on it.
alter table content_files
  add column brand_id uuid,
  add foreign key (organization_id, brand_id) references brands (organization_id, id) on delete set null (brand_id);
create index on content_files (organization_id, brand_id, date_created, id) where brand_id is not null;
