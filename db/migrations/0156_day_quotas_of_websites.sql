-- Events beyond what a website may store in a day are dropped.
alter table website_drops
  drop constraint website_drops_reason_check,
  add check (reason in ('host', 'inactive', 'limit', 'quota', 'invalid'));
