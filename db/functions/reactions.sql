-- The event graph: docs/event-graph.md.

-- Whether a text matches a pattern, in which `*` stands for any text. Upper and lower case are the same.
create function matches_pattern(pattern text, given text)
  returns boolean
  language sql immutable parallel safe
  return lower(given) like replace(replace(replace(replace(lower(pattern), '\', '\\'), '%', '\%'), '_', '\_'), '*', '%');

-- What listeners make of events: the reactions that are not there yet. Of all active events that are reacted to, or, for a
-- rehearsal, of some (`of_events`), whether active or not, and whatever is there.
-- Their ids are UUIDs of version 8. A contact is that of the message; of a visitor, the one whose signed link was followed last; or it is known. A listener reacts
--   to a CLICK once for each message, and with a pattern once for each link;
--   to a VIEW_PAGE or IDENTIFY once for each session, to a TRACK once for each event;
--   to all other events of a message to the first of each type.
create function reactions_to(causes cause[], of_events uuid[] default null)
  returns setof reactions
  language plpgsql stable
as $$
begin
  return query
  with listening as materialized (
    select e.organization_id, e.source, e.event_type, e.event, e.value, e.id as touchpoint_event_id, e.notifier_touchpoint_id,
      c.brand_id, l.id as listener_id, l.listener_touchpoint_id, l.delay::interval as delay, l.once_per_contact, a.name as action,
      case when e.event_type = 'SIGN_UP' then (
        select f.name from sign_up_forms f where f.organization_id = e.organization_id and f.id = e.form_id
      ) end as form
    from touchpoint_events e
    join campaigns c on c.organization_id = e.organization_id and c.id = e.campaign_id and not c.deleted
    join touchpoint_event_actions a on a.id = e.touchpoint_event_action_id
    join touchpoint_event_listeners l on l.organization_id = e.organization_id and l.touchpoint_event_id = e.id
    join touchpoints t on t.organization_id = l.organization_id and t.id = l.listener_touchpoint_id and not t.deleted
    where e.organization_id = any (array(select distinct g.organization_id from unnest(causes) g))
      and case when of_events is null then e.is_active else e.id = any (of_events) end
  ), link as materialized (
    select s.send_id, t.number - 1 as link_no, t.link ->> 'url' as url
    from (select distinct g.organization_id, g.send_id from unnest(causes) g where g.type = 'CLICK') s
    join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.send_id
    cross join lateral jsonb_array_elements(c.content -> 'links') with ordinality t (link, number)
    where exists (select from listening l where l.event_type = 'CLICK' and l.organization_id = s.organization_id)
  ), matched as materialized (
    select l.*, g.key, g.at, g.send_id, g.seq, g.link_no, g.visitor_id, g.collection, g.contact_id, coalesce(k.url, g.detail, l.form) as detail
    from unnest(causes) g
    join listening l on l.organization_id = g.organization_id and l.source = g.source and l.event_type = g.type
    left join link k on g.type = 'CLICK' and k.send_id = g.send_id and k.link_no = g.link_no
    where coalesce(g.touchpoint_event_id = l.touchpoint_event_id, true)
      and case
        when l.event_type in ('CLICK') then case when l.event is null then g.is_first else matches_pattern(l.event, k.url) end
        when l.event_type in ('VIEW_PAGE', 'TRACK') then l.event is null or matches_pattern(l.event, g.detail)
        when l.event_type = 'CHANGE_FIELD' then l.event = g.detail and (l.value is null or l.value = g.value)
        else g.is_first is not false
      end
  ), sent as materialized (
    select s.organization_id, s.id as send_id, (
      select c.audience ->> 'collection' from touchpoint_send_contents c where c.organization_id = s.organization_id and c.send_id = s.id
    ) as collection
    from touchpoint_sends s
    where s.kind <> 'test' and (s.organization_id, s.id) in (select m.organization_id, m.send_id from matched m)
  ), caused as materialized (
    select m.*, p.collection as of_collection, p.contact_id as of_contact, case when m.once_per_contact then ''
      when m.event_type = 'CLICK' and m.event is null then m.send_id || '/' || m.seq else m.key end as of_key
    from matched m
    left join sent x on x.organization_id = m.organization_id and x.send_id = m.send_id
    cross join lateral (
      select m.collection, m.contact_id where m.contact_id is not null
      union all
      (select coalesce(x.collection, (
          select l.collection from messages l where l.organization_id = m.organization_id and l.send_id = m.send_id and l.seq = m.seq
        ), ''), d.contact_id
      from deliveries d
      where x.send_id is not null and d.organization_id = m.organization_id and d.send_id = x.send_id and d.seq = m.seq
      limit 1)
      union all
      (select v.collection, case when v.is_erased then '' else v.contact_id end from visitor_contacts v
      where m.visitor_id is not null and v.organization_id = m.organization_id and v.touchpoint_id = m.notifier_touchpoint_id
        and v.visitor_id = m.visitor_id and v.bound_at <= m.at
      order by v.bound_at desc limit 1)
    ) p
    where p.contact_id <> ''
  ), placed as materialized (
    select c.*, s.started_at, s.ended_at
    from caused c
    left join lateral (
      select s.started_at, s.ended_at from visitor_sessions s
      where c.event_type in ('VIEW_PAGE', 'IDENTIFY') and s.organization_id = c.organization_id
        and s.touchpoint_id = c.notifier_touchpoint_id and s.visitor_id = c.visitor_id and s.started_at <= c.at
      order by s.started_at desc limit 1
    ) s on true
  )
  select distinct on (c.listener_id, c.of_collection, c.of_contact, coalesce(c.started_at::text, c.of_key), c.once_per_contact)
    c.organization_id, overlay(overlay(md5(concat_ws(' ', c.listener_id, c.of_key, c.of_collection, c.of_contact)) placing '8' from 13) placing '8'
      from 17)::uuid, c.touchpoint_event_id, c.listener_id, c.listener_touchpoint_id, c.action, c.brand_id, c.of_collection, c.of_contact,
    c.event_type, c.at, c.notifier_touchpoint_id, c.send_id, c.seq, c.link_no, c.visitor_id, c.detail, c.at + c.delay, 'waiting', null::text,
    null::timestamptz, null::uuid, null::integer, (select d.endpoint from organization_directus d where d.organization_id = c.organization_id)
  from placed c
  -- Most are told apart by their ids alone. A scalar subquery is a look-up by contact in any plan.
  where of_events is not null or not c.once_per_contact and c.started_at is null or (
    select true from reactions r
    where r.organization_id = c.organization_id and r.contact_id = c.of_contact and r.listener_id = c.listener_id
      and r.collection = c.of_collection and r.reason is distinct from 'bot'
      and (c.once_per_contact or r.visitor_id = c.visitor_id and r.cause_at between c.started_at and c.ended_at)
    limit 1
  ) is null
  order by c.listener_id, c.of_collection, c.of_contact, coalesce(c.started_at::text, c.of_key), c.once_per_contact, c.at, c.key;
end
$$;

-- Counts reactions of a listener that were not made, because too many of its organization were waiting.
-- owner: delivery/graph
create function count_dropped_reactions(of_organization uuid, of_listener uuid, dropped bigint)
  returns bigint
  language plpgsql
as $$
begin
  update public.touchpoint_event_listeners set dropped_count = dropped_count + dropped
  where organization_id = of_organization and id = of_listener;
  return dropped;
end
$$;
grant execute on function count_dropped_reactions(uuid, uuid, bigint) to reachout_app;

-- Stores what listeners make of events, up to a number that waits of each organization. What is there already is not stored again,
-- so callers may repeat events. Returns how many were stored.
-- owner: queue
create function add_reactions(causes cause[])
  returns integer
  language plpgsql
  -- Planning takes longer than the look-ups of a small batch.
  set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  added integer;
begin
  if causes is null or cardinality(causes) = 0 then
    return 0;
  end if;
  with wanted as materialized (
    select w.* from public.reactions_to(causes) w
  ), full_organization as materialized (
    select o.organization_id
    from (select w.organization_id, count(*) as count from wanted w group by 1) o
    where o.count + (
      select count(*) from (
        select from public.reactions r where r.organization_id = o.organization_id and r.state = 'waiting' limit 1000000
      ) waiting
    ) > 1000000
  ), dropped as (
    select public.count_dropped_reactions(w.organization_id, w.listener_id, count(*)) as count from wanted w
    where w.organization_id in (select f.organization_id from full_organization f)
    group by w.organization_id, w.listener_id
  ), stored as (
    insert into public.reactions
    select w.* from wanted w
    where w.organization_id not in (select f.organization_id from full_organization f)
    order by w.organization_id, w.id
    -- After a click that no person made, the first of a person counts.
    on conflict (organization_id, id) do update set cause_at = excluded.cause_at, cause_link_no = excluded.cause_link_no,
      cause_detail = excluded.cause_detail, due_at = excluded.due_at, endpoint = excluded.endpoint, state = 'waiting', reason = null,
      ended_at = null
    where reactions.reason = 'bot'
    returning 1
  )
  select (select count(*) from stored) + 0 * (select count(*) from dropped) into added;
  return added;
end
$$;

-- Cancels what waits because of clicks that no person made: of a message, or, where the listener has a pattern, of one of its links.
-- owner: queue
create function cancel_reactions(refuted cause[])
  returns void
  language plpgsql
as $$
begin
  update public.reactions r set state = 'cancelled', reason = 'bot', ended_at = now()
  from unnest(refuted) c
  join public.message_contacts x on x.organization_id = c.organization_id and x.send_id = c.send_id and x.seq = c.seq
  where r.organization_id = c.organization_id and r.contact_id = x.contact_id and r.state = 'waiting' and r.cause_type = c.type
    and r.cause_send_id = c.send_id and r.cause_seq = c.seq
    and c.link_no = case when (
      select e.event from public.touchpoint_events e where e.organization_id = r.organization_id and e.id = r.touchpoint_event_id
    ) is null then -1 else r.cause_link_no end;
end
$$;

-- Whether any touchpoint listens to events of these types in an organization: most have no listeners.
create function listens_to(of_organization uuid, of_source text, type text)
  returns boolean
  language sql stable
as $$
  select exists (select from touchpoint_events e
    where e.organization_id = of_organization and e.source = of_source and e.event_type = type and e.is_active)
$$;

grant execute on function matches_pattern(text, text), reactions_to(cause[], uuid[]), add_reactions(cause[]),
  listens_to(uuid, text, text) to reachout_app;

-- Touchpoints with reactions that are due and can happen now: an email is sent only while it is active. Each step finds the next
-- touchpoint in the index: those that wait for later cost nothing but that. Round robin over organizations.
create function due_reactions(max_rows integer)
  returns table (organization_id uuid, touchpoint_id uuid, action text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
as $$
  with recursive waiting as (
    (
      select r.organization_id, r.touchpoint_id, r.action, r.due_at from public.reactions r
      where r.state = 'waiting'
      order by r.organization_id, r.touchpoint_id, r.action, r.due_at
      limit 1
    )
    union all
    select n.* from waiting w
    cross join lateral (
      select r.organization_id, r.touchpoint_id, r.action, r.due_at from public.reactions r
      where r.state = 'waiting' and (r.organization_id, r.touchpoint_id, r.action) > (w.organization_id, w.touchpoint_id, w.action)
      order by r.organization_id, r.touchpoint_id, r.action, r.due_at
      limit 1
    ) n
  )
  select w.organization_id, w.touchpoint_id, w.action
  from waiting w
  join public.organizations o on o.id = w.organization_id and o.status = 'active' and not o.deleted
  join public.touchpoints t on t.organization_id = w.organization_id and t.id = w.touchpoint_id and not t.deleted
  join public.campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id and not c.deleted
  where w.due_at <= now() and (w.action <> 'send_email' or exists (
    select from public.touchpoint_sends s
    where s.organization_id = w.organization_id and s.touchpoint_id = w.touchpoint_id and s.kind = 'triggered' and s.status = 'sending'))
  -- What stops others comes first.
  order by row_number() over (partition by w.organization_id order by w.action = 'send_email', w.due_at), w.due_at
  limit max_rows
$$;
grant execute on function due_reactions(integer) to reachout_app;

-- Whether a contact did, after the cause and up to a time, what makes the reaction void (`unless` of the listener). Of an email without a touchpoint
-- of its own, that is about the message of the cause.
create function is_void(r reactions, unless jsonb, until timestamptz default 'infinity')
  returns boolean
  language plpgsql stable
as $$
declare
  of_touchpoint constant uuid := coalesce((unless ->> 'touchpoint_id')::uuid, r.cause_touchpoint_id);
  of_type constant text := unless ->> 'event_type';
  pattern constant text := unless ->> 'event';
begin
  if unless is null then
    return false;
  end if;
  if of_type in ('VIEW_PAGE', 'TRACK', 'IDENTIFY') then
    return exists (
      select from contact_visitors v
      join visitor_sessions s on s.organization_id = v.organization_id and s.touchpoint_id = v.touchpoint_id
        and s.visitor_id = v.visitor_id and s.ended_at >= r.cause_at and s.started_at < coalesce(v.bound_until, 'infinity')
      join visitor_events e on e.organization_id = s.organization_id and e.touchpoint_id = s.touchpoint_id
        and e.at between s.started_at and s.ended_at and e.visitor_id = s.visitor_id
      where v.organization_id = r.organization_id and v.collection = r.collection and v.contact_id = r.contact_id
        and v.touchpoint_id = of_touchpoint and e.type = of_type and not e.is_bot and e.at > r.cause_at and e.at <= until
        and e.at >= v.bound_at and e.at < coalesce(v.bound_until, 'infinity')
        and (pattern is null or matches_pattern(pattern, case when e.type = 'TRACK' then e.name else e.path end))
    );
  end if;
  return exists (
    select from (
      select r.cause_send_id as send_id, r.cause_seq as seq where (unless ->> 'touchpoint_id') is null
      union all
      select m.send_id, m.seq from messages_of_contact(r.organization_id, of_touchpoint, r.collection, r.contact_id) m
      where (unless ->> 'touchpoint_id') is not null
    ) m
    where case when of_type = 'SEND_EMAIL' then exists (
        select from delivery_results d
        where d.organization_id = r.organization_id and d.send_id = m.send_id and d.seq = m.seq and d.accepted_at > r.cause_at and d.accepted_at <= until
      ) else exists (
        select from delivery_event_counts c
        where c.organization_id = r.organization_id and c.send_id = m.send_id and c.type = of_type and c.seq = m.seq
          and c.human_count > 0 and case when pattern is null then c.link_no = -1 else c.link_no >= 0 and matches_pattern(pattern, (
            select s.content -> 'links' -> c.link_no ->> 'url' from touchpoint_send_contents s
            where s.organization_id = r.organization_id and s.send_id = m.send_id
          )) end
          and c.first_human_at <= until and (c.first_human_at > r.cause_at or (unless ->> 'touchpoint_id') is null)
      ) end
  );
end
$$;

-- The messages of an email to a contact: of its latest sends, by the hash of the contact (`contact_deliveries`), and single ones.
create function messages_of_contact(of_organization uuid, of_touchpoint uuid, of_collection text, of_contact text)
  returns table (send_id uuid, seq integer)
  language plpgsql stable
as $$
begin
  return query
  select m.send_id, m.seq
  from (
    select s.id as send_id, d.seq
    from (
      select s.id from touchpoint_sends s
      where s.organization_id = of_organization and s.touchpoint_id = of_touchpoint and s.kind in ('campaign', 'follow_up')
      order by s.created_at desc limit 100
    ) s
    cross join lateral (
      select h.hashes, h.seqs from contact_deliveries h
      where h.organization_id = of_organization and h.send_id = s.id and h.last_hash >= (hashtext(of_contact) & 2147483647)
      order by h.last_hash limit 1
    ) h
    cross join lateral unnest(array_positions(h.hashes, hashtext(of_contact) & 2147483647)) place
    join deliveries d on d.organization_id = of_organization and d.send_id = s.id and d.seq = h.seqs[place] and d.contact_id = of_contact
    union all
    select m.send_id, m.seq
    from messages m
    join touchpoint_sends s on s.organization_id = m.organization_id and s.id = m.send_id and s.touchpoint_id = of_touchpoint
    where m.organization_id = of_organization and m.contact_id = of_contact
  ) m
  join message_contacts c on c.organization_id = of_organization and c.send_id = m.send_id and c.seq = m.seq
    and c.collection = of_collection;
end
$$;
grant execute on function is_void(reactions, jsonb, timestamptz), messages_of_contact(uuid, uuid, text, text) to reachout_app;

-- Whether the last reaction of a website to a contact says that visits are not to be those of the contact any more.
create function is_stopped(of_organization uuid, of_touchpoint uuid, of_collection text, of_contact text)
  returns boolean
  language sql stable
as $$
  select coalesce((
    select r.action = 'stop_tracking' from reactions r
    where r.organization_id = of_organization and r.contact_id = of_contact and r.collection = of_collection
      and r.touchpoint_id = of_touchpoint and r.action in ('start_tracking', 'stop_tracking') and r.state = 'done'
    order by r.ended_at desc limit 1
  ), false)
$$;
grant execute on function is_stopped(uuid, uuid, text, text) to reachout_app;

-- The fields of contacts with whose change an event begins, and null if one begins with a contact that is added. As the owner, because
-- a member who adds a contact may not see the event.
create function watched_fields(of_organization uuid, of_collection text)
  returns setof text
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select distinct e.event from public.touchpoint_events e
  where e.organization_id = of_organization and e.source = of_collection and e.is_active
    and e.event_type in ('ADD_CONTACT', 'CHANGE_FIELD')
$$;
grant execute on function watched_fields(uuid, text) to reachout_app;

-- Notes contacts that are added or changed, where an event begins with that. Imports set `reachout.is_import`: what a file brings
-- is no event of a person.
-- owner: queue
create function note_contact_changes()
  returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
as $$
declare
  place record;
begin
  if current_setting('reachout.is_import', true) = 'on' then
    return null;
  end if;
  for place in select distinct n.organization_id, n.collection from new_items n loop
    if tg_op = 'INSERT' then
      insert into public.contact_changes (organization_id, collection, contact_id)
      select n.organization_id, n.collection, n.id
      from public.watched_fields(place.organization_id, place.collection) f (field)
      join new_items n on n.organization_id = place.organization_id and n.collection = place.collection
      where f.field is null;
    else
      insert into public.contact_changes (organization_id, collection, contact_id, field, value)
      select n.organization_id, n.collection, n.id, f.field, n.data ->> f.field
      from public.watched_fields(place.organization_id, place.collection) f (field)
      join new_items n on n.organization_id = place.organization_id and n.collection = place.collection
      join old_items o on o.organization_id = n.organization_id and o.collection = n.collection and o.id = n.id
      where n.data -> f.field is distinct from o.data -> f.field;
    end if;
  end loop;
  return null;
end
$$;
create trigger note_added_contacts after insert on content_items
  referencing new table as new_items for each statement execute function note_contact_changes();
create trigger note_changed_contacts after update on content_items
  referencing old table as old_items new table as new_items for each statement execute function note_contact_changes();

-- Makes what listeners react to of noted changes of contacts, of all organizations. Returns how many it took.
-- owner: queue
create function take_contact_changes(max_rows integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  causes public.cause[];
begin
  with taken as (
    delete from public.contact_changes c
    where (c.organization_id, c.position) in (
      select n.organization_id, n.position from public.contact_changes n order by n.position limit max_rows for update skip locked
    )
    returning c.*
  )
  select array_agg(row(t.organization_id, case when t.field is null then 'ADD_CONTACT' else 'CHANGE_FIELD' end, t.collection, null,
    coalesce(t.position::text, ''), t.at, true, null, null, null, null, t.collection, t.contact_id, t.field, t.value)::public.cause
    order by t.position)
  into causes
  from taken t;
  perform public.add_reactions(causes);
  return coalesce(cardinality(causes), 0);
end
$$;

-- Events that begin with a date and were not looked up today, round robin over organizations: from nine o'clock on where their brand is.
create function due_dates(skipped uuid[])
  returns table (organization_id uuid, touchpoint_event_id uuid, collection text, field text, days integer, is_yearly boolean, day date)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select e.organization_id, e.id, e.collection, e.event, coalesce(e.days, 0), e.is_yearly, d.day::date
  from public.touchpoint_events e
  join public.organizations o on o.id = e.organization_id and o.status = 'active' and not o.deleted
  join public.campaigns c on c.organization_id = e.organization_id and c.id = e.campaign_id and not c.deleted
  join public.brands b on b.organization_id = c.organization_id and b.id = c.brand_id and not b.deleted
  cross join lateral (select (now() at time zone coalesce(b.time_zone, 'UTC') - interval '9 hours')::date as today) t
  -- A worker that was away for days makes up for two of them.
  cross join lateral generate_series(greatest(coalesce(e.looked_up_until + 1, t.today), t.today - 2), t.today, interval '1 day') d (day)
  where e.event_type = 'REACH_DATE' and e.is_active and e.collection is not null
    and e.id <> all (skipped)
  order by row_number() over (partition by e.organization_id order by d.day, e.id), d.day, e.id
  limit 100
$$;
grant execute on function take_contact_changes(integer), due_dates(uuid[]) to reachout_app;

-- Whether a date in a field, with days added, is a day; of a yearly one, in any year. The 29th of February comes a day
-- earlier in other years.
create function reaches_day(given text, days integer, is_yearly boolean, day date)
  returns boolean
  language sql immutable
as $$
  select case when given !~ '^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])' then false
    when not is_yearly then left(given, 10) = (day - days)::text
    else substr(given, 6, 5) = to_char(day - days, 'MM-DD') or substr(given, 6, 5) = '02-29'
      and to_char(day - days, 'MM-DD') = '02-28' and to_char(day - days + 1, 'MM-DD') = '03-01' end
$$;

-- Stores what listeners make of the built-in contacts that reach a date.
-- owner: queue
create function add_reached_dates(of_organization uuid, of_event uuid, of_collection text, field text, days integer, is_yearly boolean,
    day date)
  returns integer
  language sql
as $$
  select add_reactions(array(
    select row(of_organization, 'REACH_DATE', of_collection, of_event, day::text, now(), true, null, null, null, null, of_collection, i.id,
      field, null)::cause
    from content_items i
    where i.organization_id = of_organization and i.collection = of_collection
      and reaches_day(i.data ->> field, days, is_yearly, day)
  ))
$$;
grant execute on function reaches_day(text, integer, boolean, date),
  add_reached_dates(uuid, uuid, text, text, integer, boolean, date) to reachout_app;

-- What happened since a time that some events are about, the oldest first: for a rehearsal. Fields that changed are not known any
-- more, nor which contacts came by a file: those that were added together with more than 50 others are left out.
create function past_causes(of_organization uuid, of_events uuid[], since timestamptz, max_rows integer)
  returns setof cause
  language plpgsql stable
as $$
begin
  return query
  with event as materialized (
    select e.*, coalesce(b.time_zone, 'UTC') as time_zone
    from touchpoint_events e
    join campaigns c on c.organization_id = e.organization_id and c.id = e.campaign_id
    join brands b on b.organization_id = c.organization_id and b.id = c.brand_id
    where e.organization_id = of_organization and e.id = any (of_events)
  ), source as materialized (
    select distinct e.source, e.event_type, e.notifier_touchpoint_id, e.form_id, e.collection from event e
  ), happened as (
    select s.event_type, s.source, null::uuid as touchpoint_event_id, concat_ws('/', m.send_id, m.seq, m.link_no) as key, m.at, (
        select c.first_human_at = m.at from delivery_event_counts c
        where c.organization_id = of_organization and c.send_id = m.send_id and c.type = m.type and c.seq = m.seq and c.link_no = -1
      ) as is_first, m.send_id, m.seq, m.link_no, null::uuid as visitor_id, null::text as collection, null::text as contact_id,
      null::text as detail
    from source s
    cross join lateral (
      select v.* from events v
      where v.organization_id = of_organization and v.touchpoint_id = s.notifier_touchpoint_id and v.type = s.event_type
        and v.at >= since and not v.is_bot
      order by v.at limit max_rows
    ) m
    where exists (
      select from delivery_event_counts c
      where c.organization_id = of_organization and c.send_id = m.send_id and c.type = m.type and c.seq = m.seq
        and c.link_no = coalesce(m.link_no, -1) and c.first_human_at = m.at
    )
    union all
    select s.event_type, s.source, null, concat_ws('/', r.send_id, r.seq), r.accepted_at, true, r.send_id, r.seq, null, null, null, null, null
    from source s
    cross join lateral (
      select r.send_id, r.seq, r.accepted_at
      from touchpoint_sends t
      join delivery_results r on r.organization_id = t.organization_id and r.send_id = t.id and r.accepted_at >= since
      where s.event_type = 'SEND_EMAIL' and t.organization_id = of_organization and t.touchpoint_id = s.notifier_touchpoint_id
        and t.kind <> 'test' and (t.end_date is null or t.end_date >= since)
      limit max_rows
    ) r
    union all
    select s.event_type, s.source, null, v.id::text, v.at, null, null, null, null, v.visitor_id, null, null, coalesce(v.name, v.path)
    from source s
    cross join lateral (
      select v.* from visitor_events v
      where v.organization_id = of_organization and v.touchpoint_id = s.notifier_touchpoint_id and v.type = s.event_type
        and v.at >= since and not v.is_bot and v.visitor_id in (
          select c.visitor_id from visitor_contacts c
          where c.organization_id = of_organization and c.touchpoint_id = s.notifier_touchpoint_id
        )
      order by v.at limit max_rows
    ) v
    union all
    select s.event_type, s.source, null, u.id::text, u.confirmed_at, true, null, null, null, null, u.collection, u.contact_id, null
    from source s
    join sign_ups u on u.organization_id = of_organization and u.form_id = s.form_id and u.confirmed_at >= since
      and u.contact_id is not null
    union all
    select s.event_type, s.source, null, i.id, i.date_created, true, null, null, null, null, i.collection, i.id, null
    from source s
    cross join lateral (
      select i.*, count(*) over (partition by i.date_created) as together from content_items i
      where s.event_type = 'ADD_CONTACT' and i.organization_id = of_organization and i.collection = s.collection
        and i.date_created >= since
    ) i
    where i.together <= 50
    union all
    select e.event_type, e.source, e.id, d.day::date::text, (d.day::date + time '09:00') at time zone e.time_zone, true, null, null, null,
      null, i.collection, i.id, e.event
    from event e
    cross join lateral generate_series(since at time zone e.time_zone, now() at time zone e.time_zone, interval '1 day') d (day)
    join content_items i on i.organization_id = of_organization and i.collection = e.collection
      and reaches_day(i.data ->> e.event, coalesce(e.days, 0), e.is_yearly, d.day::date)
    where e.event_type = 'REACH_DATE'
  )
  select of_organization, h.event_type, h.source, h.touchpoint_event_id, h.key, h.at, h.is_first, h.send_id, h.seq, h.link_no, h.visitor_id,
    h.collection, h.contact_id, h.detail, null::text
  from happened h
  where h.at between since and now()
  order by h.at, h.key
  limit max_rows;
end
$$;
grant execute on function past_causes(uuid, uuid[], timestamptz, integer) to reachout_app;

-- What a message reacts to, in the form of the contract (`Cause`); null for other messages.
create function cause_of_message(of_organization uuid, of_send uuid, of_seq integer)
  returns jsonb
  language sql stable
as $$
  select jsonb_build_object('type', r.cause_type, 'at', r.cause_at, 'touchpoint_id', r.cause_touchpoint_id,
    'touchpoint_name', (select t.name from touchpoints t where t.organization_id = of_organization and t.id = r.cause_touchpoint_id),
    'detail', r.cause_detail)
  from reactions r
  where r.organization_id = of_organization and r.send_id = of_send and r.seq = of_seq
  limit 1
$$;
grant execute on function cause_of_message(uuid, uuid, integer) to reachout_app;
