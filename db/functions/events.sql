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

-- Notes that all events of a subject that were stored before this transaction are folded. `since` is how old the noted time must be,
-- so that a fold that finds nothing writes every five seconds only.
-- owner: events
create function note_folded(of_subject text, since interval default '0')
  returns void
  language sql
as $$
  update public.event_folds set folded_until = now() where subject = of_subject and folded_until < now() - since
$$;

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
  deltas public.count_delta[];
  -- Touchpoints that others listen to, and what they react to.
  notifiers uuid[];
  causes public.cause[];
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
    if only_organization is null then
      perform public.note_folded('message', interval '5 seconds');
    end if;
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
  notifiers := array(select e.notifier_touchpoint_id from public.touchpoint_events e
    where e.organization_id = any (ids) and e.is_active and e.event_type in ('OPEN_EMAIL', 'CLICK', 'VISIT'));
  -- All of it reads the rows of one snapshot, and so counts what it deletes. Scalar subqueries look up rows by key in any plan,
  -- and `link_no < 0` keeps PostgreSQL from reading all messages of a touchpoint in the index of the whole messages (link_no -1).
  -- Each event has whether it counts as a bot's, whether it is the first of its message by a person, and its number among
  -- those of the same message, link and kind (person or bot).
  with unfolded as materialized (
    select e.*, row_number() over (partition by e.organization_id, e.touchpoint_id, e.send_id, e.type, e.seq, e.link_no, e.by_bot
      order by e.position) as number
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
          where m.position <= up_to and m.organization_id = any (ids) and m.send_id = any (sends)
        ) w
      ) u
    ) e
  ), counted as (
    insert into public.delivery_event_counts as c
      (organization_id, touchpoint_id, send_id, type, seq, link_no, human_count, bot_count, first_human_at)
    select e.organization_id, e.touchpoint_id, e.send_id, e.type, e.seq, l.link_no,
      count(*) filter (where not e.by_bot), count(*) filter (where e.by_bot),
      min(e.at) filter (where case when l.link_no = -1 then e.is_first else e.number = 1 and not e.by_bot end)
    from unfolded e
    cross join lateral (values (-1), (e.link_no)) as l (link_no)
    where l.link_no is not null
    group by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, send_id, type, seq, link_no) do update
    set human_count = c.human_count + excluded.human_count,
      bot_count = c.bot_count + excluded.bot_count,
      first_human_at = coalesce(c.first_human_at, excluded.first_human_at)
    returning c.organization_id, c.touchpoint_id, c.send_id, c.type, c.seq, c.link_no, c.human_count, c.first_human_at
  ), to_review as (
    -- Most messages have one click, and cost nothing here.
    insert into public.click_reviews (organization_id, touchpoint_id, send_id, seq, first_at)
    select c.organization_id, c.touchpoint_id, c.send_id, c.seq, c.first_human_at
    from counted c
    where c.type = 'CLICK' and c.link_no = -1 and c.human_count > 1
      and c.first_human_at > (select min(e.at) from unfolded e where e.type = 'CLICK') - interval '10 minutes'
    on conflict do nothing
  ), kept as (
    insert into public.events
      (organization_id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, id, user_agent, ip_prefix, country)
    select e.organization_id, e.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, e.by_bot, e.id, e.user_agent, e.ip_prefix,
      e.country
    from unfolded e
    where e.number + coalesce((
      select case when e.by_bot then c.bot_count else c.human_count end from public.delivery_event_counts c
      where c.organization_id = e.organization_id and c.send_id = e.send_id and c.type = e.type and c.seq = e.seq
        and c.link_no = coalesce(e.link_no, -1)
    ), 0) <= 20
  ), taken as (
    delete from public.unfolded_message_events u
    where u.position <= up_to and u.organization_id = any (ids) and u.send_id = any (sends)
    returning true
  )
  select (select count(*) from taken), array(
    select row(e.organization_id, e.touchpoint_id, e.send_id, e.type, v.value, date_bin('15 minutes', e.at, 'epoch'), count(*),
      null)::public.count_delta
    from unfolded e
    cross join lateral (values ('unique', e.is_first), ('human', not e.by_bot), ('bot', e.by_bot)) v (value, is_counted)
    where v.is_counted
    group by e.organization_id, e.touchpoint_id, e.send_id, e.type, v.value, date_bin('15 minutes', e.at, 'epoch')
  ), array(
    select row(e.organization_id, e.type, e.touchpoint_id, null, concat_ws('/', e.send_id, e.seq, e.link_no), e.at, e.is_first,
      e.send_id, e.seq, e.link_no, null, null, null, null, null)::public.cause
    from unfolded e
    where e.touchpoint_id = any (notifiers) and not e.by_bot and (e.is_first or e.number = 1 and e.link_no is not null and (
      select true from public.delivery_event_counts c
      where c.organization_id = e.organization_id and c.send_id = e.send_id and c.type = e.type and c.seq = e.seq
        and c.link_no = e.link_no and c.human_count > 0
    ) is null)
  ) into folded, deltas, causes;
  perform public.add_to_counts(deltas);
  perform public.add_reactions(causes);
  if only_organization is null and folded + dropped < max_rows then
    perform public.note_folded('message');
  end if;
  return folded + dropped;
end
$$;
grant execute on function fold_message_events(integer, uuid) to reachout_app;

-- owner: events
-- Looks again at the clicks of messages whose first click by a person is ten minutes old, of all organizations, and moves those of
-- scanners to bots: the rows of their message, the stored events and the counts. Returns how many messages it took: 0 while a fold
-- runs. So many of the oldest are left out as are to be skipped, because they fail. Those of one minute come together, because a
-- range of clicks is read once for all messages of a touchpoint: no index finds the events of a message.
-- A burst is what a person would have followed within five seconds, from a click on. It is a scanner's, if a person would have
-- followed two links in it at least, and
--   all_links: all links of the message were followed, three at least, or
--   before_open: two were within two seconds, until ten seconds after a mail server took the message, and no person had opened it.
--   Where images are not loaded, people click without an open, but they need longer for two links.
create function review_clicks(max_rows integer, skipped integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
as $$
declare
  due_before constant timestamptz := date_trunc('minute', now()) - interval '10 minutes';
  due public.click_reviews[];
  -- Clicks by people of the messages of which some are moved; with the rule, those that are.
  clicks public.events[];
  deltas public.count_delta[];
  -- Messages, and links of them (link_no >= 0), that no person has followed.
  refuted public.cause[];
begin
  if not exists (select from public.click_reviews r where r.first_at < due_before)
    or not pg_try_advisory_xact_lock(public.message_fold_lock())
  then
    return 0;
  end if;
  select array_agg(oldest.review) into due
  from (
    select r as review from public.click_reviews r where r.first_at < due_before order by r.first_at offset skipped limit max_rows
  ) oldest;
  if due is null then
    return 0;
  end if;
  perform from public.organizations o
  where o.id in (select r.organization_id from unnest(due) r)
  order by o.id
  for key share;
  -- `is true` and `offset 0` keep PostgreSQL from joining each click with each message.
  with review as materialized (
    select r.* from unnest(due) r
    where (select true from public.touchpoint_sends s where s.organization_id = r.organization_id and s.id = r.send_id)
  ), click as materialized (
    select e.event, e.organization_id, e.send_id, e.seq, e.at, e.link_no, e.is_bot
    from (
      select r.organization_id, r.touchpoint_id, min(r.first_at) as first_at from review r group by 1, 2
    ) t
    cross join lateral (
      select c as event, c.* from public.events c
      -- What is stored first may have come a little later.
      where c.organization_id = t.organization_id and c.touchpoint_id = t.touchpoint_id and c.type = 'CLICK'
        and c.at >= t.first_at - interval '1 minute'
        and ((c.send_id, c.seq) in (select r.send_id, r.seq from review r)) is true
      offset 0
    ) e
  ), followed as materialized (
    select n.*, max(n.at) filter (where n.is_start) over (partition by n.organization_id, n.send_id, n.seq order by n.at)
      as burst_at
    from (
      select c.*, not c.is_bot and (lag(c.at) over same >= c.at - interval '5 seconds') is not true as is_start,
        lag(c.link_no) over same <> c.link_no and lag(c.at) over same >= c.at - interval '2 seconds' as is_quick
      from click c
      window same as (partition by c.organization_id, c.send_id, c.seq, c.is_bot order by c.at)
    ) n
  ), burst as materialized (
    select f.organization_id, f.send_id, f.seq, f.burst_at, count(distinct f.link_no) as links,
      bool_or(f.is_quick) filter (where not f.is_bot) as is_quick
    from followed f
    where f.at <= f.burst_at + interval '5 seconds'
    group by 1, 2, 3, 4
    having count(distinct f.link_no) filter (where not f.is_bot) > 1
  ), content as materialized (
    select s.send_id, (
      select jsonb_array_length(c.content -> 'links') from public.touchpoint_send_contents c
      where c.organization_id = s.organization_id and c.send_id = s.send_id
    ) as links
    from (select distinct b.organization_id, b.send_id from burst b where b.links > 2) s
  ), judged as materialized (
    select b.*, case
      when b.links >= (select c.links from content c where c.send_id = b.send_id) and b.links > 2 then 'all_links'
      when b.is_quick and b.burst_at <= (
        select r.accepted_at + interval '10 seconds' from public.delivery_results r
        where r.organization_id = b.organization_id and r.send_id = b.send_id and r.seq = b.seq
      ) and (
        select o.first_human_at <= b.burst_at from public.delivery_event_counts o
        where o.organization_id = b.organization_id and o.send_id = b.send_id and o.type = 'OPEN_EMAIL' and o.seq = b.seq
          and o.link_no = -1
      ) is not true then 'before_open' end as rule
    from burst b
  )
  select array_agg(jsonb_populate_record(f.event, jsonb_build_object('moved_by', j.rule))) into clicks
  from followed f
  left join judged j on j.organization_id = f.organization_id and j.send_id = f.send_id and j.seq = f.seq
    and j.burst_at = f.burst_at and f.at <= f.burst_at + interval '5 seconds'
  where not f.is_bot and ((f.send_id, f.seq) in (select m.send_id, m.seq from judged m where m.rule is not null)) is true;

  -- Nothing is moved of most messages.
  if clicks is not null then
    with click as materialized (
      select k.* from unnest(clicks) k
    ), flagged as (
      update public.events e set is_bot = true, moved_by = k.moved_by
      from click k
      where k.moved_by is not null and e.organization_id = k.organization_id and e.touchpoint_id = k.touchpoint_id
        and e.type = k.type and e.at = k.at and e.id = k.id
    ), link as materialized (
      -- If as many as are stored of a link are moved, those that were not stored are, too.
      select k.organization_id, k.touchpoint_id, k.send_id, k.seq, k.link_no, count(k.moved_by) as stored,
        case when count(k.moved_by) = count(*) and count(*) >= 20 then (
          select c.human_count from public.delivery_event_counts c
          where c.organization_id = k.organization_id and c.send_id = k.send_id and c.type = 'CLICK' and c.seq = k.seq
            and c.link_no = k.link_no
        ) else count(k.moved_by) end as number,
        min(k.at) filter (where k.moved_by is null) as first_at, max(k.at) filter (where k.moved_by is not null) as last_at
      from click k
      group by 1, 2, 3, 4, 5
    ), change as materialized (
      select m.*, c.first_human_at as first_before,
        case when c.human_count > m.number then coalesce(m.first_at, c.first_human_at) end as first_human_at
      from (
        select l.organization_id, l.touchpoint_id, l.send_id, l.seq, v.link_no, sum(l.number)::bigint as number,
          min(l.first_at) as first_at
        from link l
        cross join lateral (values (-1), (l.link_no)) v (link_no)
        group by 1, 2, 3, 4, 5
        having sum(l.number) > 0
      ) m
      join public.delivery_event_counts c on c.organization_id = m.organization_id and c.send_id = m.send_id
        and c.type = 'CLICK' and c.seq = m.seq and c.link_no = m.link_no
    ), counted as (
      update public.delivery_event_counts c
      set human_count = c.human_count - m.number, bot_count = c.bot_count + m.number, first_human_at = m.first_human_at
      from change m
      where c.organization_id = m.organization_id and c.send_id = m.send_id and c.type = 'CLICK' and c.seq = m.seq
        and c.link_no = m.link_no
    )
    select array(
      select row(d.organization_id, d.touchpoint_id, d.send_id, 'CLICK', d.value, d.at, d.number, null)::public.count_delta
      from (
        select k.organization_id, k.touchpoint_id, k.send_id, v.value, k.at, v.number
        from (
          select organization_id, touchpoint_id, send_id, at, 1 as number from click where moved_by is not null
          union all
          -- The last that is stored tells the time of those that are not.
          select organization_id, touchpoint_id, send_id, last_at, number - stored from link where number > stored
        ) k
        cross join lateral (values ('human', -k.number), ('bot', k.number)) v (value, number)
        union all
        select c.organization_id, c.touchpoint_id, c.send_id, 'unique', v.at, v.number
        from change c
        cross join lateral (values (c.first_before, -1), (c.first_human_at, 1)) v (at, number)
        where c.link_no = -1 and v.at is not null
      ) d
    ), array(
      select row(c.organization_id, 'CLICK', c.touchpoint_id, null, null, c.first_before, null, c.send_id, c.seq, c.link_no, null, null, null,
        null, null)::public.cause
      from change c
      where c.first_human_at is null
    ) into deltas, refuted;
    perform public.add_to_counts(deltas);
    perform public.cancel_reactions(refuted);
  end if;
  delete from public.click_reviews r
  using unnest(due) d
  where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq;
  return cardinality(due);
end
$$;
grant execute on function review_clicks(integer, integer) to reachout_app;

-- Until when the events of an organization are counted: until now, unless some wait. To be read before the counts are. Events of
-- visitors may be older than the last fold, because they have the time of the browser.
create function counted_until(of_organization uuid, of_subject text)
  returns timestamptz
  language sql stable
as $$
  select greatest(f.folded_until, case of_subject
    when 'message' then least(now(), (select min(at) from unfolded_message_events where organization_id = of_organization))
    else least(now(), (select min(at) from unfolded_visitor_events where organization_id = of_organization),
      (select f.folded_until from conversion_changes where organization_id = of_organization limit 1)) end)
  from event_folds f where f.subject = of_subject
$$;
grant execute on function counted_until(uuid, text) to reachout_app;
grant select on event_folds to reachout_app;

-- How many events of each subject wait to be folded, counted up to a number, and since when not all are folded.
create function count_unfolded_events(most integer)
  returns table (subject text, count bigint, seconds double precision)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select w.subject, w.count, case when w.count > 0 then extract(epoch from now() - f.folded_until)::double precision else 0 end
  from (
    select 'message' as subject, count(*) as count from (select from public.unfolded_message_events limit most) waiting
    union all
    select 'visitor', count(*) from (select from public.unfolded_visitor_events limit most) waiting
  ) w
  join public.event_folds f on f.subject = w.subject
$$;

-- The organizations of events that wait, for folding each alone when all together fail.
create function organizations_to_fold(of_subject text)
  returns setof uuid
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct organization_id from public.unfolded_message_events where of_subject = 'message'
  union
  select distinct organization_id from public.unfolded_visitor_events where of_subject = 'visitor'
  union
  select distinct organization_id from public.conversion_changes where of_subject = 'visitor'
$$;
grant execute on function count_unfolded_events(integer), organizations_to_fold(text) to reachout_app;
