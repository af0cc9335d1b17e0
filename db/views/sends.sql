-- Sends with their current counters: the stored counters, and the counts of chunks not yet added to them.
create view counted_sends with (security_invoker = true) as
  select s.organization_id, s.id, s.send_number, s.touchpoint_id, s.brand_id, s.item_id,
    case when s.item_id is not null then (
      select coalesce(i.item ->> 'title', i.item ->> 'name', i.item ->> 'subject', i.item ->> 'headline', s.item_id)
      from touchpoint_send_contents c cross join lateral (select c.content #> '{context,item}' as item) i
      where c.organization_id = s.organization_id and c.send_id = s.id) end as item_title,
    s.kind, s.parent_send_id, s.schedule_id, s.occurrence_at, s.in_series,
    (select p.time_zone from touchpoint_schedules p
      where p.organization_id = s.organization_id and p.id = s.schedule_id) as time_zone, s.status, s.send_date, s.end_date,
    s.uncertain_policy, s.error, s.audience_breakdown, s.user_created, s.created_at, s.updated_at,
    s.recipients_confirmed_count, s.recipients_total_count,
    s.recipients_accepted_count + c.sent as recipients_accepted_count,
    s.recipients_total_sent_count + c.sent as recipients_total_sent_count,
    s.recipients_total_delivery_failed_count + c.bounced as recipients_total_delivery_failed_count,
    s.recipients_total_failed_count + c.failed as recipients_total_failed_count,
    s.recipients_suppressed_count + c.suppressed as recipients_suppressed_count,
    s.recipients_skipped_count,
    s.recipients_cancelled_count,
    s.recipients_uncertain_count + c.uncertain as recipients_uncertain_count,
    s.recipients_not_measured_count + c.not_measured as recipients_not_measured_count
  from touchpoint_sends s
  cross join lateral (
    select coalesce(sum(sent_count), 0)::integer as sent, coalesce(sum(bounced_count), 0)::integer as bounced,
      coalesce(sum(failed_count), 0)::integer as failed, coalesce(sum(suppressed_count), 0)::integer as suppressed,
      coalesce(sum(uncertain_count), 0)::integer as uncertain,
      coalesce(sum(not_measured_count), 0)::integer as not_measured
    from delivery_chunks
    where organization_id = s.organization_id and send_id = s.id and lease_token > 0 and not counted
  ) c;

-- The content items of a touchpoint that are sent on a date, each with the state of its send: `delivery/schedules/item-queue.ts`.
create view touchpoint_collection_items with (security_invoker = true) as
  select s.organization_id, s.touchpoint_id, s.item_id, coalesce(s.item_title, s.item_id) as item_title, s.id as send_id, s.schedule_id,
    s.occurrence_at as schedule_date, s.time_zone, s.error,
    s.recipients_total_delivery_failed_count + s.recipients_total_failed_count as failed_count,
    case when s.status not in ('queued', 'held') and s.audience_breakdown is not null then s.send_date end as send_date,
    case
      when s.status in ('queued', 'held') then 'scheduled'
      when s.status in ('preparing', 'sending', 'paused') then 'sending'
      when s.status = 'completed' and s.recipients_total_sent_count > 0 then 'sent'
      when s.status = 'cancelled' then 'cancelled'
      else 'failed'
    end as item_status
  from counted_sends s
  where s.kind = 'campaign' and s.item_id is not null and s.occurrence_at is not null;
