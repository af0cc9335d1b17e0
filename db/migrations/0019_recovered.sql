-- A worker died while this message was under way: it is built on trial, in a process of its own, before it goes again.
alter table delivery_retries add column recovered boolean not null default false;

-- Workers that ended while they loaded the send, in a row.
alter table touchpoint_sends add column worker_deaths smallint not null default 0;
