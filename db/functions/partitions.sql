-- The monthly partitions of tables are in the schema `partitions`. Only the owner of the tables can create and drop them.
-- The worker calls these functions every few minutes (operations/retention); applying these files also creates partitions.

-- The smallest key of a month in UTC. A UUIDv7 begins with its time in milliseconds (RFC 9562, section 5.7).
create function first_key_of(key_type regtype, month timestamp)
  returns text
  language sql stable
  return case key_type
    when 'uuid'::regtype
      then lpad(to_hex((extract(epoch from month at time zone 'UTC') * 1000)::bigint), 12, '0') || repeat('0', 20)
    else to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00'
  end;

create function between_months(key text, key_type regtype, from_month timestamp, to_month timestamp)
  returns text
  language sql stable
  return format('%1$I >= %2$L and %1$I < %3$L', key, first_key_of(key_type, from_month), first_key_of(key_type, to_month));

create function partitioned_tables()
  returns table (name text, key text, key_type regtype)
  language sql stable
begin atomic
  select c.relname, a.attname, a.atttypid
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  order by c.relname;
end;
grant execute on function partitioned_tables() to reachout_auth;

-- Creates the partitions of one table for this month and the next, and for months of the last ten years of which the
-- default partition has rows: it receives rows while nothing creates partitions. Attaching a partition waits only for
-- statements that read the default partition, and gives up soon (lock_timeout), because other statements queue behind it.
-- It then scans the default partition and moves rows out of it, while all other statements on that partition wait.
-- Therefore, no partition is created while the default partition has more than `most_rows` rows (null: no limit); the
-- result is then one row with nulls.
create function make_partitions_of(parent_table text, most_rows bigint)
  returns table (partition text, moved_rows bigint)
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  this_month constant timestamp := date_trunc('month', now() at time zone 'UTC');
  previous_timeout constant text := current_setting('lock_timeout');
  parent record;
  months timestamp[];
  new_month timestamp;
  key_range text;
  waiting_rows bigint;
begin
  select * into strict parent from public.partitioned_tables() t where t.name = parent_table;
  perform pg_advisory_xact_lock(hashtext('reachout partitions'));
  perform set_config('lock_timeout', '300ms', true);
  execute format('select count(*) from (select from partitions.%I limit %L) waiting', parent.name || '_default', most_rows + 1)
    into waiting_rows;
  if waiting_rows > most_rows then
    return query select null::text, null::bigint;
    return;
  end if;
  execute format(
    'select array_agg(distinct date_trunc(''month'', %s at time zone ''UTC'')) from partitions.%I where %s',
    case parent.key_type when 'uuid'::regtype
      then format('to_timestamp((''x'' || left(replace(%I::text, ''-'', ''''), 12))::bit(48)::bigint / 1000.0)', parent.key)
      else quote_ident(parent.key) end,
    parent.name || '_default',
    public.between_months(parent.key, parent.key_type, this_month - interval '10 years', this_month + interval '2 months')
  ) into months;
  for new_month in
    select this_month union select this_month + interval '1 month' union select unnest(months) order by 1
  loop
    partition := parent.name || to_char(new_month, '_YYYY_MM');
    continue when to_regclass(format('partitions.%I', partition)) is not null;
    key_range := public.between_months(parent.key, parent.key_type, new_month, new_month + interval '1 month');
    execute format('create table partitions.%I (like public.%I including all)', partition, parent.name);
    execute format('alter table partitions.%I enable row level security', partition);
    moved_rows := 0;
    if new_month = any(months) then
      execute format('lock table partitions.%I in access exclusive mode', parent.name || '_default');
      execute format('with moved as (delete from partitions.%1$I where %2$s returning *) insert into partitions.%3$I select * from moved',
        parent.name || '_default', key_range, partition);
      get diagnostics moved_rows = row_count;
    end if;
    execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (%L)', parent.name, partition,
      public.first_key_of(parent.key_type, new_month), public.first_key_of(parent.key_type, new_month + interval '1 month'));
    return next;
  end loop;
  perform set_config('lock_timeout', previous_timeout, true);
end
$$;

-- Creates the partitions of all tables in one transaction: for a new database, and for operators who have stopped sending.
create function make_partitions(most_rows bigint)
  returns table (parent_table text, partition text, moved_rows bigint)
  language sql set search_path = pg_catalog, public, pg_temp
as $$
  select t.name, made.* from public.partitioned_tables() t cross join lateral public.make_partitions_of(t.name, most_rows) made
$$;

-- For the worker, which uses one transaction per table: a transaction with locks on two tables could deadlock with one
-- that reads them in the opposite order. Moving 50,000 rows takes less than half a second. If there are more, the operator
-- chooses when to move them (docs/sending.md).
create function create_partitions(parent_table text)
  returns table (partition text, moved_rows bigint)
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  select * from public.make_partitions_of(parent_table, 50000)
$$;
grant execute on function create_partitions(text) to reachout_auth;

-- Drops empty partitions of months that ended at least a month ago, unless the partition is keyed by send_id and a send of
-- that month is left, which may still get messages. If the lock on the table is not available soon, the partition is
-- skipped until the next call.
create function drop_empty_partitions()
  returns setof text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  previous_timeout constant text := current_setting('lock_timeout');
  old record;
  is_used boolean;
begin
  perform set_config('lock_timeout', '100ms', true);
  for old in
    select t.name as parent, t.key, t.key_type, c.relname as partition, to_date(right(c.relname, 7), 'YYYY_MM')::timestamp as month
    from public.partitioned_tables() t
    join pg_class c on c.relnamespace = 'partitions'::regnamespace and c.relkind = 'r'
      and c.relname ~ format('^%s_\d{4}_\d\d$', t.name)
    order by 1, 4
  loop
    continue when old.month + interval '2 months' > now() at time zone 'UTC';
    execute format('select exists (select from partitions.%I)', old.partition)
      || case old.key when 'send_id' then ' or exists (select from public.touchpoint_sends where '
        || public.between_months('id', old.key_type, old.month, old.month + interval '1 month') || ')' else '' end
      into is_used;
    continue when is_used;
    begin
      execute format('lock table public.%I in access exclusive mode', old.parent);
      execute format('select exists (select from partitions.%I)', old.partition) into is_used;
      if not is_used then
        execute format('drop table partitions.%I', old.partition);
        return next old.partition;
      end if;
    exception when lock_not_available then null;
    end;
  end loop;
  perform set_config('lock_timeout', previous_timeout, true);
end
$$;
grant execute on function drop_empty_partitions() to reachout_auth;
