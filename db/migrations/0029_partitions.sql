-- The tables that get a row for each message or event are partitioned by month, so that a month of which nothing is left
-- is dropped as files, and the indexes in use stay those of recent months. deliveries, delivery_exclusions and
-- delivery_results by the time in the UUIDv7 of their send: what names a send touches one partition. events by their time,
-- by which they are read. db/functions/partitions.sql creates the months; what has none goes to the default partition.

-- Apart from the tables, where the server's roles may not go: they reach the rows through the table, whose policies hold.
create schema partitions;

do $$
declare
  name text;
  key text;
  primary_key text;
begin
  for name, key in
    values ('deliveries', 'send_id'), ('delivery_exclusions', 'send_id'), ('delivery_results', 'send_id'), ('events', 'at')
  loop
    execute format('alter table %I set schema partitions', name);
    execute format('create table public.%1$I (like partitions.%1$I including all excluding indexes) partition by range (%2$I)', name, key);
    select pg_get_constraintdef(k.oid) into primary_key from pg_constraint k
      where k.conrelid = format('partitions.%I', name)::regclass and k.contype = 'p';
    execute format('alter table public.%I add constraint %I %s', name, name || '_pkey', primary_key);
    execute format('create table partitions.%1$I partition of public.%2$I default', name || '_default', name);
    execute format('alter table partitions.%I enable row level security', name || '_default');
  end loop;
end
$$;
insert into deliveries select * from partitions.deliveries;
insert into delivery_exclusions select * from partitions.delivery_exclusions;
insert into delivery_results select * from partitions.delivery_results;
insert into events select * from partitions.events;
drop table partitions.deliveries, partitions.delivery_exclusions, partitions.delivery_results, partitions.events;

-- Lists what was not sent without reading what was.
create index delivery_results_not_sent on delivery_results (organization_id, send_id, state, seq) where state <> 'sent';
