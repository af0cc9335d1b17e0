-- An entry of the unique index has at most 2,704 bytes. Letters have up to four bytes, so a limit of characters is not enough.
alter table content_files add check (octet_length(path) <= 2000);
