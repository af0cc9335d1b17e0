-- The bytes of a file: a file that is replaced keeps its id, and gets other ones.
alter table content_files add column bytes_id uuid;
update content_files set bytes_id = id;
alter table content_files alter column bytes_id set not null;
create unique index on content_files (organization_id, bytes_id);
