-- Running counts are cumulative: of a day 96, each up to the end of a quarter of an hour; of a month 31, each up to the end of a
-- day. Storing an event waits for these functions.

-- Converts counts by place, from 0, to running counts. Takes at least one count, in any order.
create function to_running_counts(places integer[], counts anyarray, length integer default 96)
  returns anyarray
  language plpgsql immutable strict parallel safe
as $$
declare
  running counts%type := array_fill(counts[1] - counts[1], array[places[1]]) || array_fill(counts[1], array[length - places[1]]);
begin
  for i in 2 .. cardinality(places) loop
    for place in places[i] + 1 .. length loop
      running[place] := running[place] + counts[i];
    end loop;
  end loop;
  return running;
end
$$;

create function add_running_counts(running anyarray, added anyarray)
  returns anyarray
  language plpgsql immutable strict parallel safe
as $$
begin
  for place in 1 .. cardinality(running) loop
    running[place] := running[place] + added[place];
  end loop;
  return running;
end
$$;

-- The count from one place until another, as far as these are among the running counts.
create function counts_between(running anyarray, first integer, until integer)
  returns anyelement
  language sql immutable parallel safe
as $$
  select coalesce(running[least(until, cardinality(running))], 0) - coalesce(running[least(first, cardinality(running))], 0)
$$;

grant execute on function to_running_counts(integer[], anyarray, integer), add_running_counts(anyarray, anyarray),
  counts_between(anyarray, integer, integer) to reachout_app;

-- Stores events of visitors, of all organizations at once. Those of a website that is not of their organization are not
-- stored, nor an event that waits already.
-- owner: events
create function append_visitor_events(added json)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.unfolded_visitor_events
    (organization_id, touchpoint_id, id, at, client_at, type, visitor_id, name, url, path, title, referrer, referrer_host,
      language, country, width, height, user_id, collection, is_bot)
  select e.*
  from json_to_recordset(added) as e (organization_id uuid, touchpoint_id uuid, id uuid, at timestamptz, client_at timestamptz,
    type text, visitor_id uuid, name text, url text, path text, title text, referrer text, referrer_host text, language text,
    country text, width integer, height integer, user_id text, collection text, is_bot boolean)
  where exists (select from public.touchpoint_websites w
    where w.organization_id = e.organization_id and w.touchpoint_id = e.touchpoint_id)
  -- Two processes that store the same events wait for each other, and cannot deadlock.
  order by e.organization_id, e.touchpoint_id, e.id
  on conflict do nothing
$$;
grant execute on function append_visitor_events(json) to reachout_app;

-- Whether a TRACK event that was just appended is what is stored under its id, and not a repeat of an event that was folded.
-- Scalar subqueries, which are look-ups by key in any plan.
create function is_new_track_event(of_organization uuid, of_touchpoint uuid, of_id uuid, of_at timestamptz, of_name text)
  returns boolean
  language sql stable
as $$
  select (
      select u.at = of_at and u.type = 'TRACK' and u.name = of_name from unfolded_visitor_events u
      where u.organization_id = of_organization and u.touchpoint_id = of_touchpoint and u.id = of_id
    ) is true and (
      select e.id from visitor_events e
      where e.organization_id = of_organization and e.touchpoint_id = of_touchpoint and e.at = of_at and e.id = of_id
    ) is null and (
      select r.id from replaced_visitor_events r
      where r.organization_id = of_organization and r.touchpoint_id = of_touchpoint and r.id = of_id
    ) is null
$$;
grant execute on function is_new_track_event(uuid, uuid, uuid, timestamptz, text) to reachout_app;

-- owner: events
-- Stores opens and clicks, of all organizations at once. Those of a send that is a test, or not of their organization, are
-- not stored. Without locks: what is stored while a send is being erased is dropped when it is folded.
create function append_message_events(added json)
  returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
as $$
  insert into public.unfolded_message_events
    (organization_id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, is_first_only, id, user_agent, ip_prefix,
      country)
  select e.organization_id, s.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, e.is_bot, e.is_first_only, e.id,
    e.user_agent, e.ip_prefix, e.country
  from rows from (json_to_recordset(added) as (organization_id uuid, send_id uuid, seq integer, type text, at timestamptz,
    link_no integer, is_bot boolean, is_first_only boolean, id uuid, user_agent text, ip_prefix text, country text)) with ordinality as e
  join public.touchpoint_sends s
    on s.organization_id = e.organization_id and s.id = e.send_id and s.kind <> 'test'
  order by e.at, e.ordinality
$$;
grant execute on function append_message_events(json) to reachout_app;

-- The following four say what the opens and clicks that are not folded yet add, up to a position: the views of
-- db/views/events.sql add it to what is stored, as the fold does. So numbers are equal before and after a fold.
-- PostgreSQL inlines them. Scalar subqueries look up rows by key in any plan, and `link_no < 0` keeps it from reading all
-- messages of a touchpoint in the index of the whole messages (link_no -1).

-- Each event, with whether it counts as a bot's, whether it is the first of its message by a person, and its number among
-- the unfolded ones of the same message, link and kind (person or bot).
create function unfolded_events(up_to bigint)
  returns table (organization_id uuid, touchpoint_id uuid, send_id uuid, seq integer, type text, at timestamptz,
    link_no integer, is_bot boolean, id uuid, user_agent text, ip_prefix text, country text, is_first boolean, number bigint)
  language sql stable
as $$
  select e.organization_id, e.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, e.by_bot, e.id, e.user_agent,
    e.ip_prefix, e.country, e.is_first,
    row_number() over (partition by e.organization_id, e.touchpoint_id, e.send_id, e.type, e.seq, e.link_no, e.by_bot
      order by e.position)
  from (
    select u.*, u.is_bot or u.is_first_only and not u.is_first as by_bot
    from (
      select w.*,
        case when w.is_bot or w.of_kind > 1 then false else (
          select true from public.delivery_event_counts c
          where c.organization_id = w.organization_id and c.send_id = w.send_id and c.type = w.type and c.seq = w.seq
            and c.link_no < 0 and c.human_count > 0
        ) is null end as is_first
      from (
        select m.*, row_number() over (partition by m.organization_id, m.touchpoint_id, m.send_id, m.type, m.seq, m.is_bot
          order by m.position) as of_kind
        from public.unfolded_message_events m
        where m.position <= up_to
      ) w
    ) u
  ) e
$$;

-- By message and type (link_no -1), and by link. `first_human_at` is null if it is stored already.
create function unfolded_event_counts(up_to bigint)
  returns table (organization_id uuid, touchpoint_id uuid, send_id uuid, type text, seq integer, link_no integer,
    human_count bigint, bot_count bigint, first_human_at timestamptz)
  language sql stable
as $$
  select organization_id, touchpoint_id, send_id, type, seq, link_no, human_count, bot_count,
    case when first_of_link is null then first_at when (
      select true from public.delivery_event_counts c
      where c.organization_id = k.organization_id and c.send_id = k.send_id and c.type = k.type and c.seq = k.seq
        and c.link_no = k.link_no and c.human_count > 0
    ) is null then first_of_link end
  from (
    select e.organization_id, e.touchpoint_id, e.send_id, e.type, e.seq, l.link_no,
      count(*) filter (where not e.is_bot) as human_count, count(*) filter (where e.is_bot) as bot_count,
      min(e.at) filter (where e.is_first and l.link_no = -1) as first_at,
      min(e.at) filter (where e.number = 1 and not e.is_bot and l.link_no >= 0) as first_of_link
    from public.unfolded_events(up_to) e
    cross join lateral (values (-1), (e.link_no)) as l (link_no)
    where l.link_no is not null
    group by 1, 2, 3, 4, 5, 6
  ) k
$$;

-- By quarter of an hour. `unique_count` is the number of messages whose first event by a person is in it.
create function unfolded_event_totals(up_to bigint)
  returns table (organization_id uuid, touchpoint_id uuid, send_id uuid, type text, at timestamptz, unique_count bigint,
    human_count bigint, bot_count bigint)
  language sql stable
as $$
  select e.organization_id, e.touchpoint_id, e.send_id, e.type, date_bin('15 minutes', e.at, 'epoch'),
    count(*) filter (where e.is_first), count(*) filter (where not e.is_bot), count(*) filter (where e.is_bot)
  from public.unfolded_events(up_to) e
  group by 1, 2, 3, 4, 5
$$;

-- The first 20 by people and the first 20 by bots of each message, type and link, stored ones included.
create function unfolded_first_events(up_to bigint)
  returns table (organization_id uuid, touchpoint_id uuid, send_id uuid, seq integer, type text, at timestamptz,
    link_no integer, is_bot boolean, id uuid, user_agent text, ip_prefix text, country text)
  language sql stable
as $$
  select e.organization_id, e.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, e.is_bot, e.id, e.user_agent, e.ip_prefix,
    e.country
  from public.unfolded_events(up_to) e
  where e.number + coalesce((
    select case when e.is_bot then c.bot_count else c.human_count end from public.delivery_event_counts c
    where c.organization_id = e.organization_id and c.send_id = e.send_id and c.type = e.type and c.seq = e.seq
      and c.link_no = coalesce(e.link_no, -1)
  ), 0) <= 20
$$;
grant execute on function unfolded_events(bigint), unfolded_event_counts(bigint), unfolded_event_totals(bigint),
  unfolded_first_events(bigint) to reachout_app;

-- The key of the lock that each fold of events of messages holds until its transaction ends.
create function message_fold_lock() returns bigint
  language sql immutable parallel safe
as $$ select hashtext('reachout fold of message events')::bigint $$;
grant execute on function message_fold_lock() to reachout_app;

-- owner: events
-- Folds the oldest opens and clicks, of all organizations or of one, and returns how many it took: 0 if another process is
-- folding. Nothing waits for it but an erasure, and it waits for one: what was erased meanwhile is dropped. The types
-- BOUNCE and UNSUBSCRIBE, which are stored directly, have rows of their own in each table, so no two transactions update
-- the same rows.
create function fold_message_events(max_rows integer, only_organization uuid default null)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
as $$
declare
  up_to bigint;
  ids uuid[];
  sends uuid[];
  erased uuid[];
  folded integer;
  dropped integer;
begin
  if not pg_try_advisory_xact_lock(public.message_fold_lock()) then
    return 0;
  end if;
  select max(oldest.position), array_agg(distinct oldest.organization_id) into up_to, ids
  from (
    select u.position, u.organization_id from public.unfolded_message_events u
    where only_organization is null or u.organization_id = only_organization
    order by u.position
    limit max_rows
  ) oldest;
  if up_to is null then
    return 0;
  end if;
  perform from public.organizations o where o.id = any (ids) order by o.id for key share;
  select array_agg(w.send_id) filter (where s.id is not null), array_agg(w.send_id) filter (where s.id is null)
  into sends, erased
  from (
    select distinct u.organization_id, u.send_id from public.unfolded_message_events u
    where u.position <= up_to and u.organization_id = any (ids)
  ) w
  left join public.touchpoint_sends s on s.organization_id = w.organization_id and s.id = w.send_id;
  delete from public.unfolded_message_events u
  where u.position <= up_to and u.organization_id = any (ids) and u.send_id = any (erased);
  get diagnostics dropped = row_count;
  -- All of it reads the rows of one snapshot, and so counts what it deletes. The rows of `unfolded_events` are computed once,
  -- which takes most of the time: what follows repeats the three functions above, and a test compares the numbers.
  with unfolded as materialized (
    select e.* from public.unfolded_events(up_to) e
    where e.organization_id = any (ids) and e.send_id = any (sends)
  ), counted as (
    insert into public.delivery_event_counts as c
      (organization_id, touchpoint_id, send_id, type, seq, link_no, human_count, bot_count, first_human_at)
    select e.organization_id, e.touchpoint_id, e.send_id, e.type, e.seq, l.link_no,
      count(*) filter (where not e.is_bot), count(*) filter (where e.is_bot),
      min(e.at) filter (where case when l.link_no = -1 then e.is_first else e.number = 1 and not e.is_bot end)
    from unfolded e
    cross join lateral (values (-1), (e.link_no)) as l (link_no)
    where l.link_no is not null
    group by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, send_id, type, seq, link_no) do update
    set human_count = c.human_count + excluded.human_count,
      bot_count = c.bot_count + excluded.bot_count,
      first_human_at = coalesce(c.first_human_at, excluded.first_human_at)
  ), kept as (
    insert into public.events
      (organization_id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, id, user_agent, ip_prefix, country)
    select e.organization_id, e.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, e.is_bot, e.id, e.user_agent, e.ip_prefix,
      e.country
    from unfolded e
    where e.number + coalesce((
      select case when e.is_bot then c.bot_count else c.human_count end from public.delivery_event_counts c
      where c.organization_id = e.organization_id and c.send_id = e.send_id and c.type = e.type and c.seq = e.seq
        and c.link_no = coalesce(e.link_no, -1)
    ), 0) <= 20
  ), added as materialized (
    select e.organization_id, e.touchpoint_id, e.send_id, e.type, date_bin('15 minutes', e.at, 'epoch') as at,
      count(*) filter (where e.is_first) as unique_count, count(*) filter (where not e.is_bot) as human_count,
      count(*) filter (where e.is_bot) as bot_count
    from unfolded e
    group by 1, 2, 3, 4, 5
  ), in_quarters as (
    insert into public.delivery_event_totals as t
      (organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, bot_count)
    select a.* from added a
    on conflict (organization_id, touchpoint_id, type, at, send_id) do update
    set unique_count = t.unique_count + excluded.unique_count,
      human_count = t.human_count + excluded.human_count,
      bot_count = t.bot_count + excluded.bot_count
  ), in_sums as (
    insert into public.delivery_event_sums as s
      (organization_id, touchpoint_id, send_id, type, unique_count, human_count, bot_count)
    select a.organization_id, a.touchpoint_id, a.send_id, a.type, sum(a.unique_count), sum(a.human_count), sum(a.bot_count)
    from added a
    group by 1, 2, 3, 4
    on conflict (organization_id, touchpoint_id, send_id, type) do update
    set unique_count = s.unique_count + excluded.unique_count,
      human_count = s.human_count + excluded.human_count,
      bot_count = s.bot_count + excluded.bot_count
  ), in_days as (
    insert into public.delivery_event_days as d (organization_id, day, send_id, type, running_counts)
    select a.organization_id, (a.at at time zone 'UTC')::date, a.send_id, a.type,
      public.to_running_counts(array_agg(extract(epoch from a.at)::bigint % 86400 / 900)::integer[],
        array_agg(a.unique_count)::integer[])
    from added a
    where a.unique_count > 0
    group by 1, 2, 3, 4
    on conflict (organization_id, day, send_id, type) do update
    set running_counts = public.add_running_counts(d.running_counts, excluded.running_counts)
  ), taken as (
    delete from public.unfolded_message_events u
    where u.position <= up_to and u.organization_id = any (ids) and u.send_id = any (sends)
    returning true
  )
  select count(*) into folded from taken;
  return folded + dropped;
end
$$;
grant execute on function fold_message_events(integer, uuid) to reachout_app;

-- How many events of each subject wait to be folded, counted up to a number.
create function count_unfolded_events(most integer)
  returns table (subject text, count bigint)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select 'message', count(*) from (select from public.unfolded_message_events limit most) waiting
  union all
  select 'visitor', count(*) from (select from public.unfolded_visitor_events limit most) waiting
$$;

-- The organizations of events that wait, for folding each alone when all together fail.
create function organizations_to_fold(of_subject text)
  returns setof uuid
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct organization_id from public.unfolded_message_events where of_subject = 'message'
  union
  select distinct organization_id from public.unfolded_visitor_events where of_subject = 'visitor'
$$;
grant execute on function count_unfolded_events(integer), organizations_to_fold(text) to reachout_app;
