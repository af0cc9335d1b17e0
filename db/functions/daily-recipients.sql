-- Recipients of the organization of the transaction that count towards its daily limit, in all brands, also for members
-- who see some of them only: those of the sends that were confirmed in the last 24 hours, and those that older sends have
-- left, so that sends cannot be kept paused and then go out together. Of sends that take single messages, the messages
-- count in the same way: their numbers follow their times, so that the newest one of the day before tells how many came since.
-- Tests go to members, and count nowhere.
create function recipients_of_last_day()
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select coalesce(sum(case
    when s.kind = 'triggered' then s.recipients_total_count - coalesce((
      select m.seq from public.messages m
      where m.organization_id = s.organization_id and m.send_id = s.id and m.created_at <= now() - interval '24 hours'
      order by m.created_at desc
      limit 1), 0) + (
      select count(*) from public.delivery_queue r
      where r.organization_id = s.organization_id and r.send_id = s.id and r.created_at <= now() - interval '24 hours')
    when s.status = 'failed' then 0
    when s.status = 'cancelled' then s.recipients_total_count - s.recipients_cancelled_count
    when s.created_at <= now() - interval '24 hours' then s.recipients_total_count - s.recipients_total_sent_count
      - s.recipients_total_delivery_failed_count - s.recipients_total_failed_count - s.recipients_suppressed_count
      - s.recipients_skipped_count - coalesce((
        select sum(c.sent_count + c.bounced_count + c.failed_count + c.suppressed_count) from public.delivery_chunks c
        where c.organization_id = s.organization_id and c.send_id = s.id and c.lease_token > 0 and not c.counted), 0)
    when s.status in ('queued', 'preparing') then s.recipients_confirmed_count
    else s.recipients_total_count
  end), 0)::bigint
  from public.touchpoint_sends s
  where s.organization_id = public.current_organization_id() and s.kind <> 'test'
    and (s.created_at > now() - interval '24 hours' or s.status in ('queued', 'preparing', 'sending', 'paused')
      or (s.kind = 'triggered' and (s.end_date is null or s.end_date > now() - interval '24 hours')))
$$;
grant execute on function recipients_of_last_day() to reachout_app;
