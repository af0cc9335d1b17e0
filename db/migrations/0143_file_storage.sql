-- Files have a bucket and a path, which whoever uploads them can choose. The files so far keep their id as a folder, because their
-- names are not unique.
alter table content_files
  add column bucket text,
  add column path text;
update content_files set
  bucket = case when type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif') then 'images' else 'documents' end,
  path = id::text || '/' || coalesce(nullif(rtrim(ltrim(
    regexp_replace(regexp_replace(left(filename_download, 200), '[^A-Za-z0-9._ -]', '_', 'g'), '\.{2,}', '.', 'g'), '. '), '. '), ''), 'file');
alter table content_files
  alter column bucket set not null,
  alter column path set not null,
  add check (bucket in ('images', 'documents')),
  add check (char_length(path) between 1 and 1004),
  add unique (organization_id, bucket, path);

-- How many megabytes the files of an organization may take; null for as many as all others.
alter table organizations add column file_megabyte_limit integer check (file_megabyte_limit >= 0);
