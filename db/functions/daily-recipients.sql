-- Number of recipients that count towards the daily limit of the transaction's organization. Includes all brands, even if
-- the member sees only some of them. Counts all recipients of sends confirmed in the last 24 hours, and the remaining
-- recipients of older sends, so that sends cannot be kept paused and then sent together. For sends that take single
-- messages, each message counts in the same way. Their numbers ascend with time, so the newest message older than 24 hours
-- shows how many were added since. Tests are sent to members and do not count.
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
