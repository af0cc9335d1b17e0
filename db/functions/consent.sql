-- The only definition of who gets no email from a brand, and why. Returns the subscription state that a suppression
-- causes, or null if it does not apply to the brand; if `of_brand_id` is null, only suppressions for all brands apply.
-- Audiences, sends and the contact's page use it.
create function subscription_state(reason text, suppressed_brand_id uuid, of_brand_id uuid) returns text
  language sql immutable
as $$
  select case when suppressed_brand_id is null or suppressed_brand_id = of_brand_id then
    case reason
      when 'unsubscribe' then 'unsubscribed'
      when 'complaint' then 'complained'
      when 'bounce' then 'bounced'
      else 'blocked'
    end
  end
$$;
grant execute on function subscription_state(text, uuid, uuid) to reachout_app;

-- The same for any row of `consent_records`, and for an email with a topic; null: without one. An address has a
-- state for each of its records. `subscribed` says that it has chosen the topic, and excludes nothing.
create function subscription_state(
  reason text, record_brand_id uuid, record_topic_id uuid, until timestamptz, of_brand_id uuid, of_topic_id uuid
) returns text
  language sql stable
as $$
  select case
    when record_topic_id is not null then
      case when record_topic_id = of_topic_id then reason end
    when reason = 'paused' then
      case when record_brand_id = of_brand_id and until > now() then reason end
    else subscription_state(reason, record_brand_id, of_brand_id)
  end
$$;
grant execute on function subscription_state(text, uuid, uuid, timestamptz, uuid, uuid) to reachout_app;

-- The state of the addresses that have chosen nothing about a topic: null if they get its emails.
create function state_without_choice(of_organization_id uuid, of_topic_id uuid) returns text
  language sql stable
as $$
  select 'not_subscribed' from topics
  where organization_id = of_organization_id and id = of_topic_id and not is_default
$$;
grant execute on function state_without_choice(uuid, uuid) to reachout_app;

-- Deletes what was recorded about resubscriptions of an address whose data is erased on request.
-- owner: contacts/consent
create function erase_resubscriptions(of_address_key text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  delete from public.resubscriptions
  where organization_id = public.current_organization_id() and address_key = of_address_key;
end
$$;
grant execute on function erase_resubscriptions(text) to reachout_app;

-- The only definition of whether opens and clicks of a message are measured: by the policy of its brand, what the address has
-- chosen for the brand, and what a field of the contact says. Both are null if they say nothing; the choice comes first.
create function is_tracked(policy text, choice boolean, field boolean) returns boolean
  language sql immutable
as $$
  select case policy
    when 'everyone' then choice is distinct from false
    when 'with_consent' then coalesce(choice, field, false)
    else false
  end
$$;
grant execute on function is_tracked(text, boolean, boolean) to reachout_app;
