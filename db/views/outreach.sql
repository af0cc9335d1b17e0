-- Deleting a record hides everything that belongs to it. The views use the permissions and policies of the querying role.
-- The `current_` views have a record and the names of its parents, for all who ask whether it is there and whose it is. What lists
-- and pages of the records show beside that takes most of the time of a statement to plan; the `_overviews` add it.

-- Sends to an audience that have not started, with the time zone that they were planned in.
create view coming_sends with (security_invoker = true) as
  -- A send in the time zones of contacts starts before the time for which it is scheduled.
  select s.organization_id, s.id, s.touchpoint_id, s.schedule_id, s.status, s.send_date,
    greatest(s.send_date, s.occurrence_at) as scheduled_date, p.time_zone, c.confirmed_at, s.item_id,
    -- In a queue, each send has a content item of its own.
    s.in_series and p.rrule is null as is_queued_item
  from touchpoint_sends s
  left join touchpoint_schedules p on p.organization_id = s.organization_id and p.id = s.schedule_id
  left join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
  where s.kind = 'campaign' and s.status in ('queued', 'held');

create view current_brands with (security_invoker = true) as
  select b.*, c.name as client_name
  from brands b
  join clients c on c.organization_id = b.organization_id and c.id = b.client_id and not c.deleted
  where not b.deleted;

-- Domains that the organization, or a client or brand that is not deleted owns.
create view current_sending_domains with (security_invoker = true) as
  select d.*
  from sending_domains d
  where not exists (
      select from clients c where c.organization_id = d.organization_id and c.id = d.client_id and c.deleted)
    and not exists (
      select from brands b where b.organization_id = d.organization_id and b.id = d.brand_id and b.deleted);

create view current_campaigns with (security_invoker = true) as
  select c.*, b.name as brand_name, b.logo_url as brand_logo_url, b.dark_logo_url as brand_dark_logo_url,
    b.color as brand_color, b.client_id, b.client_name
  from campaigns c
  join current_brands b on b.organization_id = c.organization_id and b.id = c.brand_id
  where not c.deleted;

create view current_touchpoints with (security_invoker = true) as
  select t.*,
    c.name as campaign_name, c.status as campaign_status, c.brand_id, c.brand_name, c.brand_logo_url,
    c.brand_dark_logo_url, c.brand_color, c.client_id, c.client_name
  from touchpoints t
  join current_campaigns c on c.organization_id = t.organization_id and c.id = t.campaign_id
  where not t.deleted;

-- Touchpoints that react to events, with the touchpoints that notify them; not those of which one is deleted.
create view event_listeners with (security_invoker = true) as
  select l.*, e.event_type, e.notifier_touchpoint_id, n.name as notifier_name, a.name as action, t.name as listener_name,
    t.status as listener_status, t.type as listener_type
  from touchpoint_event_listeners l
  join touchpoint_events e on e.organization_id = l.organization_id and e.id = l.touchpoint_event_id
  join touchpoint_event_actions a on a.id = e.touchpoint_event_action_id
  join current_touchpoints t on t.organization_id = l.organization_id and t.id = l.listener_touchpoint_id
  left join current_touchpoints n on n.organization_id = e.organization_id and n.id = e.notifier_touchpoint_id
  where e.notifier_touchpoint_id is null or n.id is not null;

-- `error_content` says why the copy of a record in the content backend is not up to date.
create view brand_overviews with (security_invoker = true) as
  select b.*,
    (select o.error_content from content_outbox o
      where o.organization_id = b.organization_id and o.collection = 'reachout_brands' and o.id = b.id) as error_content
  from current_brands b;

create view campaign_overviews with (security_invoker = true) as
  select c.*,
    (select o.error_content from content_outbox o
      where o.organization_id = c.organization_id and o.collection = 'reachout_campaigns' and o.id = c.id) as error_content,
    (select min(s.scheduled_date) from touchpoints t
      join coming_sends s on s.organization_id = t.organization_id and s.touchpoint_id = t.id
      where t.organization_id = c.organization_id and t.campaign_id = c.id and not t.deleted) as scheduled_date,
    (select s.time_zone from touchpoints t
      join coming_sends s on s.organization_id = t.organization_id and s.touchpoint_id = t.id
      where t.organization_id = c.organization_id and t.campaign_id = c.id and not t.deleted
      order by s.scheduled_date, s.id limit 1) as scheduled_date_tz
  from current_campaigns c;

create view touchpoint_overviews with (security_invoker = true) as
  select t.*,
    (select o.error_content from content_outbox o
      where o.organization_id = t.organization_id and o.collection = 'reachout_touchpoints' and o.id = t.id) as error_content,
    (select min(s.scheduled_date) from coming_sends s
      where s.organization_id = t.organization_id and s.touchpoint_id = t.id) as scheduled_date,
    (select s.time_zone from coming_sends s
      where s.organization_id = t.organization_id and s.touchpoint_id = t.id
      order by s.scheduled_date, s.id limit 1) as scheduled_date_tz,
    -- The schedules that come next, and then the newest of the others: 10 in total.
    (select coalesce(json_agg(p), '[]') from (
      select p.id, to_char(p.start_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start_date, p.is_active
      from (
        (select id, start_date, is_active from touchpoint_schedules p
          where p.organization_id = t.organization_id and p.touchpoint_id = t.id and p.is_active
          order by p.start_date limit 10)
        union all
        (select id, start_date, is_active from touchpoint_schedules p
          where p.organization_id = t.organization_id and p.touchpoint_id = t.id and not p.is_active
          order by p.start_date desc limit 10)) p
      order by p.is_active desc, case when p.is_active then p.start_date end, p.start_date desc
      limit 10) p) as schedules,
    (select json_build_object('id', o.id, 'name', o.name, 'status', o.status) from organizations o
      where o.id = t.organization_id) as organization
  from current_touchpoints t;

create view clients_brands with (security_invoker = true) as
  select c.organization_id, c.id as client_id, c.name as client_name, b.id as brand_id, b.name as brand_name,
    c.logo_url as client_logo_url, b.logo_url as brand_logo_url,
    b.dark_logo_url as brand_dark_logo_url, b.color as brand_color
  from clients c
  left join brands b on b.organization_id = c.organization_id and b.client_id = c.id and not b.deleted
  where not c.deleted;

create view campaigns_touchpoints with (security_invoker = true) as
  select c.organization_id, c.id as campaign_id, c.name as campaign_name, c.status as campaign_status,
    c.brand_id, c.brand_name, c.brand_logo_url, c.brand_dark_logo_url, c.brand_color, c.client_id, c.client_name,
    t.id as touchpoint_id, t.name as touchpoint_name, t.status as touchpoint_status, t.type as touchpoint_type,
    t.updated_at as touchpoint_updated_at
  from current_campaigns c
  left join touchpoints t on t.organization_id = c.organization_id and t.campaign_id = c.id and not t.deleted;

-- What has a topic and keeps it: emails that are not deleted, and sends that are not over. `clients/brands/topic.queries.ts`
create view topic_emails with (security_invoker = true) as
  select e.organization_id, e.topic_id, t.id as touchpoint_id, t.client_id, t.brand_id
  from touchpoint_emails e
  join current_touchpoints t on t.organization_id = e.organization_id and t.id = e.touchpoint_id
  where e.topic_id is not null;

create view topic_sends with (security_invoker = true) as
  select s.organization_id, s.topic_id, s.id as send_id
  from touchpoint_sends s
  where s.topic_id is not null and s.kind <> 'test'
    and s.status in ('queued', 'held', 'preparing', 'sending', 'paused');
