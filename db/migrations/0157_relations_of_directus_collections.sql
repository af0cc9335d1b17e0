-- Relations of a collection of a Directus by the name of their field, as last read: apps/server/src/content/directus/describe-fields.ts.
alter table directus_collections add column relations jsonb not null default '{}'
  check (jsonb_typeof(relations) = 'object');
