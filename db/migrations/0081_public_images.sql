-- Images that emails show: whoever has the address of one sees it, without signing in.
alter table content_files
  add column public_key text check (public_key ~ '^[A-Za-z0-9_-]{22}$');
create index on content_files (public_key) where public_key is not null;
