-- Number of recipients of an organization that count towards daily limits; only those of the sends that this user
-- confirmed, unless null. Called by the two functions below alone: the server may not. Includes all brands, even if
-- the member sees only some of them. Counts all recipients of sends confirmed or started in the last 24 hours, and the
-- remaining recipients of older sends, so that sends cannot be kept paused and then sent together. A send that is due in more
-- than 24 hours does not count yet; when it starts, what it needs is reserved again. For sends that take single
-- messages, each message counts in the same way. Their numbers ascend with time, so the newest message older than 24 hours
-- shows how many were added since. Tests are sent to members and do not count. Each sign-up of the last 24 hours counts: a stranger
-- gets a mail in the name of the organization, which no user confirms.
create function recipients_in_organization(organization uuid, confirmed_by uuid)
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
    when greatest(s.created_at, s.send_date) <= now() - interval '24 hours' then s.recipients_total_count - s.recipients_total_sent_count
      - s.recipients_total_delivery_failed_count - s.recipients_total_failed_count - s.recipients_suppressed_count
      - s.recipients_skipped_count - coalesce((
        select sum(c.sent_count + c.bounced_count + c.failed_count + c.suppressed_count) from public.delivery_chunks c
        where c.organization_id = s.organization_id and c.send_id = s.id and c.lease_token > 0 and not c.counted), 0)
    when s.status in ('queued', 'held', 'preparing') then s.recipients_confirmed_count
    else s.recipients_total_count
  end), 0)::bigint + case when confirmed_by is null then (
    select count(*) from public.sign_ups u
    where u.organization_id = organization and u.requested_at > now() - interval '24 hours') else 0 end
  from public.touchpoint_sends s
  where s.organization_id = organization and s.kind <> 'test' and (confirmed_by is null or s.user_created = confirmed_by)
    and not (s.status in ('queued', 'held') and s.send_date > now() + interval '24 hours')
    and (s.created_at > now() - interval '24 hours' or s.send_date > now() - interval '24 hours'
      or s.status in ('queued', 'held', 'preparing', 'sending', 'paused')
      or (s.kind = 'triggered' and (s.end_date is null or s.end_date > now() - interval '24 hours')))
$$;

create function recipients_of_last_day()
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select public.recipients_in_organization(public.current_organization_id(), null)
$$;
grant execute on function recipients_of_last_day() to reachout_app;

-- Number of recipients that count towards the daily limit of people, over all their organizations: the largest number of
-- this user and the owners of the transaction's organization. Of organizations that they own all recipients count, whoever
-- confirmed the send, and of others those of the sends that they confirmed. Deleted organizations count, those with a limit
-- of their own do not. 0 for people with one organization: for them, the limit of the organization is enough.
create function recipients_of_people_of_last_day(confirmed_by uuid)
  returns bigint
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select coalesce(max(of_person.total), 0)::bigint
  from (
    select sum(public.recipients_in_organization(m.organization_id, case when m.role <> 'owner' then m.user_id end)) as total
    from public.organization_users m
    join public.organizations o on o.id = m.organization_id and o.daily_recipient_limit is null
    where m.user_id in (
        select confirmed_by
        union all
        select own.user_id from public.organization_users own
        where own.organization_id = public.current_organization_id() and own.role = 'owner')
      and exists (
        select from public.organization_users other
        where other.user_id = m.user_id and other.organization_id <> m.organization_id)
    group by m.user_id
  ) of_person
$$;
grant execute on function recipients_of_people_of_last_day(uuid) to reachout_app;
