-- The only definition of who gets no email from a brand, and why. Returns the state that a row of `choices` causes for mail of
-- a brand with a topic, or null if it causes none there; if `of_brand_id` is null, only rows for all brands apply, if `of_topic_id` is
-- null, none about topics. `subscribed` says that the address has chosen the topic, and excludes nothing. Audiences, sends and
-- the contact's page use it.
create function subscription_state(
  value text, choice_brand_id uuid, choice_topic_id uuid, until timestamptz, of_brand_id uuid, of_topic_id uuid
) returns text
  language sql stable
as $$
  select case
    when choice_topic_id is not null then
      case when choice_topic_id = of_topic_id then value end
    when choice_brand_id is null or choice_brand_id = of_brand_id then
      case value
        when 'unsubscribe' then 'unsubscribed'
        when 'complaint' then 'complained'
        when 'bounce' then 'bounced'
        when 'manual' then 'blocked'
        when 'paused' then case when until > now() then value end
      end
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
