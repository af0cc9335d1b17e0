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
