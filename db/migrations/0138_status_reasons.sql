-- Why an operator suspended or deactivated it, in words for those concerned.
alter table organizations add column status_reason text check (char_length(status_reason) between 1 and 500);
alter table users add column status_reason text check (char_length(status_reason) between 1 and 500);
