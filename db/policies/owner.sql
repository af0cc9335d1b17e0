-- Policies that let the security definer functions, which run as the owner, do more than read rows of organizations. Most
-- are limited to data of the acting user, or to expired rows.

create policy sign_in on audit_log for insert to current_user
  with check (action = 'sign_in' and user_id = current_user_id());
create policy definer on sessions for select to current_user using (user_id = current_user_id());
create policy definer on totp_secrets for select to current_user using (user_id = current_user_id());
create policy definer on passkeys for select to current_user using (user_id = current_user_id());
create policy sign_up on organization_invitation_links for update to current_user using (expires_at > now());

create policy erase on audit_log for update to current_user using (current_user_id() is not null);
create policy definer on idempotency_keys for select to current_user using (current_user_id() is not null);
-- Of one organization: those of an address that is erased on request.
create policy erase on resubscriptions for delete to current_user using (organization_id = current_organization_id());
create policy erase on idempotency_keys for delete to current_user using (current_user_id() is not null);

-- What expires is no longer counted.
create policy count on stored_bytes for update to current_user using (true);

create policy retention on organizations for delete to current_user
  using (deleted and deleted_at < now() - interval '30 days');
create policy retention on idempotency_keys for delete to current_user using (created_at < now() - interval '24 hours');
create policy retention on sign_ups for delete to current_user
  using (confirmed_at is null and requested_at < now() - interval '30 days');
-- Failures of an address that no longer count.
create policy retention on choices for delete to current_user using (kind = 'failure' and until < now());
create policy retention_read on idempotency_keys for select to current_user
  using (created_at < now() - interval '24 hours');

do $$
declare
  name regclass;
begin
  foreach name in array array['user_addresses', 'organization_addresses', 'organization_contacts', 'client_addresses',
    'client_contacts']::regclass[]
  loop
    execute format('create policy retention on %s for delete to current_user
      using (deleted and deleted_at < now() - interval ''30 days'')', name);
  end loop;
end
$$;
create policy retention_read on user_addresses for select to current_user
  using (deleted and deleted_at < now() - interval '30 days');

-- Events of visitors of all organizations are appended, and later folded, by one statement each (db/functions/visitors.sql).
create policy count on website_drops for insert to current_user with check (true);
create policy count_more on website_drops for update to current_user using (true);
create policy count on website_use for insert to current_user with check (true);
create policy count_more on website_use for update to current_user using (true);

do $$
declare
  name text;
begin
  foreach name in array array['unfolded_visitor_events', 'replaced_visitor_events', 'visitor_events',
    'visitor_value_months', 'visitor_sessions', 'visitor_days', 'conversion_changes']
  loop
    execute format('create policy fold on %I for all to current_user using (true)', name);
  end loop;
end
$$;

-- Events of messages of all organizations, likewise (db/functions/events.sql).
create policy append on unfolded_message_events for insert to current_user with check (true);
create policy fold on unfolded_message_events for delete to current_user using (true);
create policy fold on click_reviews for insert to current_user with check (true);
create policy review on click_reviews for delete to current_user using (true);
-- What listeners make of them (db/functions/reactions.sql).
create policy fold on reactions for insert to current_user with check (true);
create policy review on reactions for update to current_user using (state = 'waiting' or reason = 'bot')
  with check (state = 'waiting' or reason = 'bot');
create policy note on contact_changes for all to current_user using (true);
create policy fold on touchpoint_event_listeners for update to current_user using (true);
-- The fold makes erasures wait. It locks organizations, and changes none.
create policy fold on organizations for update to current_user using (true) with check (false);

do $$
declare
  name regclass;
begin
  foreach name in array array['events', 'delivery_event_counts', 'counts']::regclass[]
  loop
    execute format('create policy fold on %s for insert to current_user with check (true)', name);
    execute format('create policy fold_again on %s for update to current_user using (true) with check (true)', name);
  end loop;
end
$$;
